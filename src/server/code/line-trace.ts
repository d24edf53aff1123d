import { parseDiff } from '#git/diff.ts';
import type { LineChange, LineHistoryRequest } from '#git/line-history.ts';
import { lineage } from '#git/lineage.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { TracedChange } from './traced-change.ts';

/** Follows the lines of a definition with git, for languages without a grammar. */
export async function traceLines(
  index: RepositoryIndex,
  { repo, name, ...request }: LineHistoryRequest & { repo: string; name: string },
): Promise<{ changes: TracedChange[]; complete: boolean }> {
  const history = await lineage(repo, request);
  const changes = history.flatMap((change, i) => {
    const older = history[i + 1];
    const traced = toTraced(index, change, { older, name });
    const move = traced?.movedFrom ? null : findMove(index, change, older);
    return [traced, move].filter((one) => one !== null);
  });
  return { changes, complete: history.length < request.maxCommits };
}

function toTraced(
  index: RepositoryIndex,
  change: LineChange,
  { older, name }: { older: LineChange | undefined; name: string },
): TracedChange | null {
  const commit = index.commits.find(change.oid);
  if (commit < 0 || change.path === null) return null;
  const [file] = parseDiff(['--- a/x', '+++ b/x', ...change.patch, ''].join('\n'));
  const hunks = file?.hunks ?? [];
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const before = lines.filter(({ kind }) => kind !== 'add').map(({ text }) => text);
  const after = lines.filter(({ kind }) => kind !== 'delete').map(({ text }) => text);
  const isFirst = before.length === 0;
  const isMove = hasMoved(change, older) && (isFirst || renameCommit(index, change, older) === commit);
  return {
    ...{ commit, path: change.path, hunks, after },
    before: isFirst ? (older ? after : null) : before,
    movedFrom: isMove ? older!.path : null,
    formerName: renamedFrom(before, after, name),
  };
}

function hasMoved(change: LineChange, older: LineChange | undefined): boolean {
  return older !== undefined && older.path !== null && older.path !== change.path;
}

/** The newest commit that renamed the older file to the file of the change; undefined where none did. */
function renameCommit(
  { commits }: RepositoryIndex,
  change: LineChange,
  older: LineChange | undefined,
): number | undefined {
  const path = commits.pathNumber(change.path ?? '');
  const former = commits.pathNumber(older?.path ?? '');
  if (path < 0 || former < 0) return undefined;
  return commits
    .touching(path)
    .find((commit) => commits.oldPaths(commit)[commits.paths(commit).indexOf(path)] === former);
}

/** Move of the file between two changes of the function, by a commit that did not touch its lines; null for none. */
function findMove(
  index: RepositoryIndex,
  change: LineChange,
  older: LineChange | undefined,
): TracedChange | null {
  const number = hasMoved(change, older) ? renameCommit(index, change, older) : undefined;
  if (number === undefined || change.path === null) return null;
  const unchanged = { before: [], after: [], hunks: [], formerName: null };
  return { ...unchanged, commit: number, path: change.path, movedFrom: older!.path };
}

const DEFINITION_WORDS =
  /\b(?:def|function|func|fn|class|sub|fun)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Name on the first defining line before the change, where it differs from the one after it; null otherwise. */
function renamedFrom(before: string[], after: string[], name: string): string | null {
  const definedIn = (lines: string[]) =>
    lines.map((line) => DEFINITION_WORDS.exec(line)?.[1]).find((found) => found !== undefined);
  const [old, fresh] = [definedIn(before), definedIn(after)];
  return old && fresh && old !== fresh && name.endsWith(fresh) ? old : null;
}
