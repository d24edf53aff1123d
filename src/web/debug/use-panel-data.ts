import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { accusedCommit } from '../parts/verdict-claims.ts';
import type { Session } from './answer.tsx';
import { excerptQuery } from './code-excerpt.tsx';
import { findFailingCode } from './failing-code.tsx';
import { suspectQuery } from './suspect-query.ts';

/** An answer appears without its code when that takes longer. */
const MAX_WAIT_MS = 1_000;
const NO_RANGE = { path: '', from: 1, to: 1 };

/** Loads the code and the commit of an answer's panels; true once both are there or late, since all below moves with them. */
export function usePanelData(session: Session): boolean {
  const { project_id: projectId, answer } = session;
  const { range } = findFailingCode(session);
  const suspect = accusedCommit(answer);
  const excerpt = useQuery({
    ...excerptQuery({ projectId, range: range ?? NO_RANGE, commit: answer.indexed_commit }),
    enabled: range !== null,
  });
  const commit = useQuery({ ...suspectQuery(projectId, suspect?.hash ?? ''), enabled: suspect !== null });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate || !(excerpt.isLoading || commit.isLoading);
}
