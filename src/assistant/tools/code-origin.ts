import { AppError } from '#contract/errors.ts';
import { blame } from '#git/blame.ts';
import type { LineChange } from '#git/line-history.ts';
import { lineage } from '#git/lineage.ts';
import { followRenames } from '#investigate/history/renames.ts';
import { answerText } from '../answer/answer-text.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { blameRange, commitsTouching, countByCommit } from './file-commits.ts';
import type { ToolContext } from './tool.ts';

const MAX_CHANGES = 200;
/** Length of a chain of files, each split off the next. */
const MAX_SPLITS = 4;
/** Lines of a new file that are compared with earlier files. */
const MAX_COMPARED_LINES = 1_000;
/** Share of these lines that must come from one other file. */
const MIN_SHARED_LINES = 0.5;

/** File that another file was split off or copied from. */
interface Origin {
  path: string;
  /** Number of the first commit of that path. */
  commit: number;
}

/** Commits that changed some lines, newest first, and the one that introduced a name in them. */
interface LineHistory {
  commits: number[];
  /** First commit in which the lines had the name; null when it is unknown or the oldest of the commits. */
  nameIntroduced: number | null;
}

/**
 * Finds the file that a file was split off or copied from, through several such splits; null for a new file.
 * A rename is not a split.
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

/** Sentence naming the file that a file was split off from; empty for a new file. */
export async function formatOrigin(path: string, context: ToolContext): Promise<string> {
  const source = await findOrigin(path, context);
  if (!source) return '';
  const commit = formatCommit(context.index, source.commit);
  return answerText(context, 'origin.split', { path: inlineCode(source.path), commit });
}

/** Finds one other file that held most of the lines which the file's first commit added. */
async function findSplitSource(path: string, context: ToolContext): Promise<Origin | null> {
  const { repo, index, signal } = context;
  const { commits } = index;
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
  const firstCommit = commitsTouching(most[0], context).at(-1);
  return firstCommit === undefined ? null : { path: most[0], commit: firstCommit };
}

/** Path of a file in a commit that touched it. */
function pathAtCommit(commit: number, path: string, { index: { commits } }: ToolContext): string | null {
  const touched = new Set(Array.from(commits.paths(commit), (number) => commits.path(number)));
  return (
    followRenames([path], commits)
      .allPaths(path)
      .findLast((name) => touched.has(name)) ?? null
  );
}

/**
 * Finds the commits that changed the lines, through renames and file splits. Falls back to blame when that takes too long.
 */
export async function findLineHistory(
  { path, lines: [from, to], name }: { path: string; lines: [number, number]; name?: string },
  context: ToolContext,
): Promise<LineHistory> {
  const { repo, index, signal } = context;
  const request = { commit: index.revision, path, from, to, maxCommits: MAX_CHANGES, signal };
  const changes = (await lineage(repo, request).catch(ignoreTimeout)).filter(
    ({ oid }) => index.commits.find(oid) >= 0,
  );
  if (changes.length === 0) {
    const blamed = countByCommit(await blameRange(path, [from, to], context), index);
    return { commits: [...blamed.keys()], nameIntroduced: null };
  }
  const first = name === undefined ? undefined : changes.findLast((change) => containsName(change, name));
  const nameIntroduced = first && first !== changes.at(-1) ? index.commits.find(first.oid) : null;
  return { commits: changes.map(({ oid }) => index.commits.find(oid)), nameIntroduced: nameIntroduced };
}

/** True when the lines contain the name as a whole word after the change. */
function containsName({ patch }: LineChange, name: string): boolean {
  const whole = new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`);
  return patch.some((line) => !line.startsWith('-') && whole.test(line));
}

function ignoreTimeout(error: unknown): [] {
  if (error instanceof AppError && error.reason === 'timed_out') return [];
  throw error;
}
