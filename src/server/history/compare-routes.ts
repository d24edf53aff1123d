import type { FastifyInstance } from 'fastify';
import { historyRoutes } from '#contract/history.ts';
import { MAX_DIFF_HUNKS } from '#contract/projects.ts';
import { changedFiles, diffBetween } from '#git/diff.ts';
import { limitDiff } from '#git/diff-limits.ts';
import { mergeBase } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, type RequestContext, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { requireIndex } from '../project-data/storage.ts';
import { compareIndexed, judgeFiles } from './compare-revisions.ts';
import { compareSymbols } from './compare-symbols.ts';
import { compareWithGit } from './compare-with-git.ts';

const FILE_DIFF_LIMITS = { maxFiles: 1, maxHunks: MAX_DIFF_HUNKS, maxBytes: 700 * 1024 };
const MAX_SYMBOLS = 500;

type CompareCall = Pick<
  RequestContext<typeof historyRoutes.compare>,
  'caller' | 'params' | 'query' | 'reply'
>;

/** Registers the routes that compare two revisions. */
export function registerComparisons(app: FastifyInstance, deps: Deps): void {
  serve(app, historyRoutes.compare, async (call) => {
    const { reader, repo, index, base, head } = await openComparison(deps, call);
    return await readFromGit(deps, reader, async (signal) => {
      const numbers = [index.commits.find(base), index.commits.find(head)] as [number, number];
      const found = numbers.includes(-1)
        ? await compareWithGit(repo, [base, head], signal)
        : await compareIndexed({ repo, index }, numbers, signal);
      const files = await changedFiles(repo, [found.ancestor ?? base, head], { signal });
      const judged = await judgeFiles(index, files, signal);
      return { base, head, ...found, files: judged, total_files: files.length };
    });
  });

  serve(app, historyRoutes.compareFile, async (call) => {
    const { reader, repo, base, head } = await openComparison(deps, call);
    const { path, old_path, whitespace } = call.query;
    return await readFromGit(deps, reader, async (signal) => {
      const from = (await mergeBase(repo, base, head)) ?? base;
      const files = await diffBetween(repo, from, head, {
        paths: old_path ? [old_path, path] : [path],
        ignoreWhitespace: whitespace === 'ignore',
        maxBytes: 1_000_000,
        signal,
      });
      return { file: limitDiff(files, FILE_DIFF_LIMITS)[0] ?? null };
    });
  });

  serve(app, historyRoutes.compareSymbols, async (call) => {
    const { reader, repo, base, head } = await openComparison(deps, call);
    return await readFromGit(deps, reader, async (signal) => {
      const from = (await mergeBase(repo, base, head)) ?? base;
      const files = await changedFiles(repo, [from, head], { signal });
      const { added, removed, ...counts } = await compareSymbols(repo, files, signal);
      return { added: added.slice(0, MAX_SYMBOLS), removed: removed.slice(0, MAX_SYMBOLS), ...counts };
    });
  });
}

/** Resolves both revisions to full hashes, as far as the caller may see them. */
async function openComparison(deps: Deps, { caller, params, query, reply }: CompareCall) {
  const project = await projectAccess(deps, caller, params.id, 'viewer');
  const repo = await deps.projectFiles.repositories.open(project.id);
  const index = await requireIndex(deps, project);
  const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
  const [{ commit: base }, { commit: head }] = await Promise.all([
    resolveRevision(deps, { ...reader, name: query.base }),
    resolveRevision(deps, { ...reader, name: query.head }),
  ]);
  return { reader, repo, index, base, head };
}
