import { useQuery } from '@tanstack/react-query';
import type { CommitIssue } from '#contract/issues.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';

/** Commits of one request, as many as a URL holds, and of all requests. */
const [BATCH_SIZE, MAX_COMMITS] = [50, 500];
const STALE_MS = 5 * 60_000;

type IssuesByCommit = ReadonlyMap<string, readonly CommitIssue[]>;

const NO_ISSUES: IssuesByCommit = new Map();

/** Imported issues that commits belong to, by full hash. Asks for none where the project has none. */
export function useCommitIssues(projectId: string, hashes: readonly string[]): IssuesByCommit {
  const state = useQuery({
    ...apiQuery('GET /projects/:id/issues/import', { params: { id: projectId } }),
    enabled: projectId !== '' && hashes.length > 0,
    retry: false,
    staleTime: STALE_MS,
  });
  const commits = [...new Set(hashes)].slice(0, MAX_COMMITS);
  const found = useQuery({
    queryKey: ['GET /projects/:id/commit-issues', projectId, commits],
    queryFn: ({ signal }) => loadIssues(projectId, commits, signal),
    enabled: commits.length > 0 && (state.data?.linked_commits ?? 0) > 0,
    retry: false,
    staleTime: STALE_MS,
  });
  return found.data ?? NO_ISSUES;
}

async function loadIssues(id: string, commits: string[], signal: AbortSignal): Promise<IssuesByCommit> {
  const found = new Map<string, readonly CommitIssue[]>();
  for (let at = 0; at < commits.length; at += BATCH_SIZE) {
    const query = { commits: commits.slice(at, at + BATCH_SIZE).join() };
    const reply = await api('GET /projects/:id/commit-issues', { params: { id }, query }, { signal });
    for (const { hash, issues } of reply.commits) if (issues.length > 0) found.set(hash, issues);
  }
  return found;
}
