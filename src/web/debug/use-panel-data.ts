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

/**
 * Loads the code and the commit of an answer's panels as soon as the session is there; true once both are there or late, since all
 * below moves with them.
 */
export function usePanelData(session: Session | undefined): boolean {
  const projectId = session?.project_id ?? '';
  const range = session ? findFailingCode(session).range : null;
  const suspect = session ? accusedCommit(session.answer) : null;
  const commitOfCode = session?.answer.indexed_commit ?? '';
  const excerpt = useQuery({
    ...excerptQuery({ projectId, range: range ?? NO_RANGE, commit: commitOfCode }),
    enabled: range !== null,
  });
  const commit = useQuery({ ...suspectQuery(projectId, suspect?.hash ?? ''), enabled: suspect !== null });
  /** The session that waited long enough: the page of another one waits again. */
  const [lateId, setLateId] = useState<string>();
  const id = session?.id;
  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => setLateId(id), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (id !== undefined && lateId === id) || !(excerpt.isLoading || commit.isLoading);
}
