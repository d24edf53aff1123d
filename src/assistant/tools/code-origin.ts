import { AppError } from '#contract/errors.ts';
import { blame } from '#git/blame.ts';
import type { LineChange } from '#git/line-history.ts';
import { lineage } from '#git/lineage.ts';
import { findFormerNames } from '#investigate/former-names.ts';
import { formatCommit, inlineCode } from '../markdown.ts';
import { blameRange, commitsTouching, countByCommit } from './file-commits.ts';
import type { ToolContext } from './tool.ts';

const MAX_CHANGES = 200;
/** Files split off files that are followed. */
const MAX_SPLITS = 4;
/** Lines of a new file that are compared with what was there before. */
const MAX_COMPARED_LINES = 1_000;
/** Of these lines, the share that must have stood in one other file. */
const MIN_SHARED_LINES = 0.5;

/** Where the code of a file stood before the file was there. */
interface Origin {
  path: string;
  /** The first commit of that path, by its number. */
  commit: number;
}

/** What changed some lines, newest first, and where a name among them was written first. */
export interface LineHistory {
  commits: number[];
  /** The first commit in which the lines had the name; null where that cannot be told or is the first of all. */
  named: number | null;
}

/**
 * The file that a file was split off or copied from, followed back as far as it goes; null for one that was written anew.
 * A rename is none: both names are one file's.
 */
async function findOrigin(path: string, context: ToolContext): Promise<Origin | null> {
  const seen = new Set([path]);
  let found: Origin | null = null;
  while (seen.size <= MAX_SPLITS) {
    const next = await findSplitSource(found?.path ?? path, context);
    if (next === null || seen.has(next.path)) break;
    seen.add(next.path);
    found = next;
  }
  return found;
}

/** From which file a file was split off, in a sentence; empty for one that was written anew. */
export async function formatOrigin(path: string, context: ToolContext): Promise<string> {
  const source = await findOrigin(path, context);
  if (!source) return '';
  return `Most of it had been in ${inlineCode(source.path)} before, which was begun by ${formatCommit(context.memory, source.commit)}.`;
}

/** Most of what the file's first commit put into it had stood in one other file until then. */
async function findSplitSource(path: string, context: ToolContext): Promise<Origin | null> {
  const { repo, memory, signal } = context;
  const { commits } = memory;
  const first = commitsTouching(path, context).at(-1);
  const parent = first === undefined ? undefined : commits.parents(first)[0];
  const name = first === undefined ? null : pathAtCommit(first, path, context);
  if (first === undefined || parent === undefined || name === null) return null;
  const commit = commits.oid(first);
  const request = {
    commit,
    path: name,
    from: 1,
    to: MAX_COMPARED_LINES,
    movedSince: commits.oid(parent),
    signal,
  };
  const lines = await blame(repo, request).catch(ignoreTimeout);
  const before = lines.filter(({ oid, originalPath }) => oid !== commit && originalPath !== name);
  const groups = [...Map.groupBy(before, ({ originalPath }) => originalPath)];
  const [most] = groups.sort(([, a], [, b]) => b.length - a.length);
  if (!most || most[1].length < lines.length * MIN_SHARED_LINES) return null;
  const begun = commitsTouching(most[0], context).at(-1);
  return begun === undefined ? null : { path: most[0], commit: begun };
}

/** Which of its names a file had in a commit that touched it. */
function pathAtCommit(commit: number, path: string, { memory: { commits } }: ToolContext): string | null {
  const touched = new Set(Array.from(commits.paths(commit), (number) => commits.path(number)));
  return (
    findFormerNames([path], commits)
      .all(path)
      .findLast((name) => touched.has(name)) ?? null
  );
}

/**
 * Commits that changed the lines, through renames and into the files that they came from, or as blame knows them where that
 * takes too long.
 */
export async function findLineHistory(
  { path, lines: [from, to], name }: { path: string; lines: [number, number]; name?: string },
  context: ToolContext,
): Promise<LineHistory> {
  const { repo, memory, signal } = context;
  const request = { commit: memory.revision, path, from, to, most: MAX_CHANGES, signal };
  const changes = (await lineage(repo, request).catch(ignoreTimeout)).filter(
    ({ oid }) => memory.commits.find(oid) >= 0,
  );
  if (changes.length === 0) {
    const blamed = countByCommit(await blameRange(path, [from, to], context), memory);
    return { commits: [...blamed.keys()], named: null };
  }
  const first = name === undefined ? undefined : changes.findLast((change) => containsName(change, name));
  const named = first && first !== changes.at(-1) ? memory.commits.find(first.oid) : null;
  return { commits: changes.map(({ oid }) => memory.commits.find(oid)), named };
}

/** Whether the lines held the name as a word of its own after the change. */
function containsName({ patch }: LineChange, name: string): boolean {
  const whole = new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`);
  return patch.some((line) => !line.startsWith('-') && whole.test(line));
}

function ignoreTimeout(error: unknown): [] {
  if (error instanceof AppError && error.reason === 'timed_out') return [];
  throw error;
}
