import { type BlameLine, blame } from './blame.ts';
import { type LineChange, type LineHistoryRequest, lineHistory } from './line-history.ts';

/** Moves from file to file that are followed. */
const MAX_MOVES = 4;
/** Of the lines that a commit added, at least this share must have stood in another file before to be a move. */
const MIN_MOVED_SHARE = 0.5;
/** Lines that lie further apart in the other file than this many times their number were no one piece. */
const MAX_SPREAD = 3;

/**
 * Like `lineHistory`, and on into other files: where a commit added all of the lines but had them from another file, they
 * are followed there. Newest first. Throws `timed_out` where the history is too long to be followed.
 */
export async function lineage(repo: string, request: LineHistoryRequest): Promise<LineChange[]> {
  const found: LineChange[] = [];
  let place: LineRange | null = request;
  for (let moves = 0; place && moves <= MAX_MOVES; moves++) {
    const changes = await lineHistory(repo, {
      ...request,
      ...place,
      maxCommits: request.maxCommits - found.length,
    });
    found.push(...changes);
    const first = changes.at(-1);
    place = first && found.length < request.maxCommits ? await findSource(repo, first, request.signal) : null;
  }
  return found;
}

type LineRange = Pick<LineHistoryRequest, 'commit' | 'path' | 'from' | 'to'>;

/** Location of the lines before the commit that added them here; null when that commit wrote them. */
async function findSource(repo: string, change: LineChange, signal?: AbortSignal): Promise<LineRange | null> {
  const { oid, parents, path, patch } = change;
  const added = /^@@ -\d+,0 \+(\d+)(?:,(\d+))? @@/.exec(patch[0] ?? '');
  const [parent] = parents;
  if (!added || path === null || parent === undefined) return null;
  const from = Number(added[1]);
  const to = from + Number(added[2] ?? 1) - 1;
  const lines = await blame(repo, { commit: oid, path, from, to, movedSince: parent, signal });
  return mainSource(
    lines.filter((line) => line.oid !== oid),
    lines.length,
  );
}

/** The place in one file that most of the lines came from. */
function mainSource(moved: BlameLine[], of: number): LineRange | null {
  const groups = [...Map.groupBy(moved, ({ oid, originalPath }) => `${oid} ${originalPath}`).values()];
  const [most] = groups.sort((a, b) => b.length - a.length);
  if (!most || most.length < of * MIN_MOVED_SHARE) return null;
  const numbers = most.map(({ originalLine }) => originalLine);
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  if (to - from + 1 > of * MAX_SPREAD) return null;
  return { commit: most[0]!.oid, path: most[0]!.originalPath, from, to };
}
