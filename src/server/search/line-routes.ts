import type { FastifyInstance } from 'fastify';
import { lineRoutes } from '#contract/lines.ts';
import { listChangedFiles } from '#git/branches.ts';
import { type GrepMatch, type GrepOptions, type GrepPattern, grep } from '#git/grep.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { searchLines } from '#search/expressions/search-lines.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { projectStorage, requirePartialIndex } from '../project-data/storage.ts';
import { resolveAnswerRevision } from '../project-data/working-branch.ts';

/** Slow regular expressions are aborted. */
const MATCH_TIMEOUT_MS = 5_000;
/** Waiting and matching. */
const QUEUE_TIMEOUT_MS = 30_000;
/** With more changed files, the whole revision is searched. */
const MAX_CHANGED_FILES = 1_000;

/** Registers the `lines` routes. */
export function registerLines(app: FastifyInstance, deps: Deps): void {
  serve(app, lineRoutes.find, async ({ caller, query, reply }) => {
    const project = await projectAccess(deps, caller, query.project_id, 'viewer', {
      withBranch: query.working_branch !== false,
    });
    // Lines are complete before symbols and older commits are.
    const index = await requirePartialIndex(deps, project);
    // Opened with the index.
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const { q, match, limit, working_branch: workingBranch } = query;
    const pattern = match === 'regex' ? { regex: q } : { fixed: [q] };
    const { userId } = caller;
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const reader = { project, userId, index, signal };
    const { at, ownBranch } = await resolveAnswerRevision(deps, { ...reader, workingBranch });
    const task = { userId, deadlineMs: QUEUE_TIMEOUT_MS, signal };
    return await deps.queues.grep.run(task, async (signal) => {
      const started = performance.now();
      const options = { maxMatches: limit, timeoutMs: MATCH_TIMEOUT_MS, signal };
      const lines = await grepRevision({ repo, index, revision: at?.revision ?? null }, pattern, options);
      const elapsedMs = performance.now() - started;
      const partial = lines.length === limit || elapsedMs >= MATCH_TIMEOUT_MS;
      const commit = at?.revision ?? index.revision;
      return { commit, own_branch: ownBranch, lines, partial, took_ms: Math.round(elapsedMs) };
    });
  });
}

/** Matching lines of the indexed commit, or of another one: there, the files that differ are read from git. */
async function grepRevision(
  { repo, index, revision }: { repo: string; index: RepositoryIndex; revision: string | null },
  pattern: GrepPattern,
  options: Omit<GrepOptions, 'paths'>,
): Promise<GrepMatch[]> {
  const lines = await searchLines(repo, index, pattern, options);
  if (revision === null) return lines;
  const { signal, maxMatches } = options;
  const range = { from: index.revision, to: revision, max: MAX_CHANGED_FILES, ...(signal && { signal }) };
  const { files, total } = await listChangedFiles(repo, range);
  if (total > files.length) return await grep(repo, revision, pattern, options);
  const paths = files.map(({ path }) => path);
  const changed = await grep(repo, revision, pattern, { ...options, paths });
  const isChanged = new Set(paths);
  return [...lines.filter(({ path }) => !isChanged.has(path)), ...changed]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
    .slice(0, maxMatches);
}
