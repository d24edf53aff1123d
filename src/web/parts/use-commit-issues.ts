import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CommitIssue } from '#contract/issues.ts';
import { apiQuery } from '../api-query.ts';

/** Commits of one request, as many as a URL holds, and of all requests. */
const [BATCH_SIZE, MAX_COMMITS] = [50, 500];
const STALE_MS = 5 * 60_000;

type IssuesByCommit = ReadonlyMap<string, readonly CommitIssue[]>;

/** Imported issues that commits belong to, by full hash. Asks for none where the project has none. */
export function useCommitIssues(projectId: string, hashes: readonly string[]): IssuesByCommit {
  const state = useQuery({
    ...apiQuery('GET /projects/:id/issues/import', { params: { id: projectId } }),
    enabled: projectId !== '' && hashes.length > 0,
    retry: false,
    staleTime: STALE_MS,
  });
  const hasIssues = (state.data?.linked_commits ?? 0) > 0;
  const key = [...new Set(hashes)].slice(0, MAX_COMMITS).join();
  const batches = useMemo(() => {
    const all = key === '' ? [] : key.split(',');
    return Array.from({ length: Math.ceil(all.length / BATCH_SIZE) }, (_, index) =>
      all.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE).join(),
    );
  }, [key]);
  return useQueries({
    queries: batches.map((commits) => ({
      ...apiQuery('GET /projects/:id/commit-issues', { params: { id: projectId }, query: { commits } }),
      enabled: hasIssues,
      retry: false,
      staleTime: STALE_MS,
    })),
    combine: toMap,
  });
}

function toMap(results: { data?: { commits: { hash: string; issues: CommitIssue[] }[] } | undefined }[]) {
  return new Map(
    results.flatMap(({ data }) =>
      (data?.commits ?? []).flatMap(({ hash, issues }): [string, CommitIssue[]][] =>
        issues.length > 0 ? [[hash, issues]] : [],
      ),
    ),
  );
}
