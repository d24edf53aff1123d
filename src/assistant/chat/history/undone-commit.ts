import type { FileDiff, Hunk } from '#contract/projects.ts';
import { blame } from '#git/blame.ts';
import { showCommit } from '#git/diff.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { pathKind } from '../evidence/path-kinds.ts';

const TIMEOUT_MS = 1_500;
const MAX_FILES = 40;
/** Share of the removed lines that one commit must have written. */
const MIN_SHARE = 0.5;

/** Finds the commit that wrote most of the lines which a commit removed; null when no single one did. */
export async function findUndoneCommit(
  commit: number,
  { repo, index, signal }: ToolContext,
): Promise<number | null> {
  const { commits } = index;
  const [parent] = commits.parents(commit);
  if (parent === undefined) return null;
  const files = await showCommit(repo, commits.oid(commit), signal && { signal });
  const removed = largestRemoval(files.slice(0, MAX_FILES));
  if (!removed) return null;
  const [from, to] = [removed.lines[0]!, removed.lines.at(-1)!];
  const request = {
    commit: commits.oid(parent),
    path: removed.path,
    from,
    to,
    timeoutMs: TIMEOUT_MS,
    signal,
  };
  const lines = (await blame(repo, request)).filter(({ line }) => removed.lines.includes(line));
  const [most] = [...Map.groupBy(lines, ({ oid }) => oid)].toSorted(([, a], [, b]) => b.length - a.length);
  if (!most || most[1].length < MIN_SHARE * removed.lines.length) return null;
  const found = commits.find(most[0]);
  return found < 0 ? null : found;
}

/** Lines of the hunk that removes most source code, by their old numbers. */
function largestRemoval(files: readonly FileDiff[]): { path: string; lines: number[] } | null {
  const removals = files.flatMap(({ old_path: path, hunks }) =>
    path !== null && pathKind(path) === 'source'
      ? hunks.map((hunk) => ({ path, lines: removedLines(hunk) }))
      : [],
  );
  const [largest] = removals.toSorted((a, b) => b.lines.length - a.lines.length);
  return largest && largest.lines.length > 0 ? largest : null;
}

function removedLines({ old_start, lines }: Hunk): number[] {
  let line = old_start;
  const found: number[] = [];
  for (const { kind } of lines) {
    if (kind === 'delete') found.push(line);
    if (kind !== 'add') line++;
  }
  return found;
}
