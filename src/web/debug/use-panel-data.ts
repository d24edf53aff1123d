import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { accusedCommit } from '../parts/verdict-claims.ts';
import type { Session } from './answer.tsx';
import { excerptQuery } from './code-excerpt.tsx';
import { findFailingCode } from './failing-code.tsx';
import { suspectQuery } from './suspect-panel.tsx';

/** An answer appears without its code when that takes longer. */
const MAX_WAIT_MS = 1_000;

/** Loads the code and the commit of an answer's panels; true once both are there or late, since all below moves with them. */
export function usePanelData(session: Session): boolean {
  const { project_id: projectId, answer } = session;
  const ranges = [findFailingCode(session).range].filter((range) => range !== null);
  const suspects = [accusedCommit(answer)].filter((suspect) => suspect !== null);
  const excerpts = useQueries({
    queries: ranges.map((range) => excerptQuery({ projectId, range, commit: answer.indexed_commit })),
  });
  const commits = useQueries({ queries: suspects.map(({ hash }) => suspectQuery(projectId, hash)) });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate || ![...excerpts, ...commits].some(({ isPending }) => isPending);
}
