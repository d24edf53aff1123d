import { AppError } from '#contract/errors.ts';
import { blame } from '#git/blame.ts';
import type { LineChange } from '#git/line-history.ts';
import { lineage } from '#git/lineage.ts';
import { findFormerNames } from '#investigate/former-names.ts';
import { code, introduceCommit } from '../markdown.ts';
import { blameOf, commitsOf, countByCommit } from './history-of-file.ts';
import type { ToolContext } from './tool.ts';

const MOST_CHANGES = 200;
/** Files split off files that are followed. */
const MOST_SPLITS = 4;
/** Lines of a new file that are compared with what was there before. */
const MOST_LINES = 1_000;
/** Of these lines, the share that must have stood in one other file. */
const LEAST_SHARED = 0.5;

/** Where the code of a file stood before the file was there. */
interface Source {
  path: string;
  /** The first commit of that path, by its number. */
  commit: number;
}

/** What changed some lines, newest first, and where a name among them was written first. */
export interface Story {
  commits: number[];
  /** The first commit in which the lines had the name; null where that cannot be told or is the first of all. */
  named: number | null;
}

/**
 * The file that a file was split off or copied from, followed back as far as it goes; null for one that was written anew.
 * A rename is none: both names are one file's.
 */
async function sourceOf(path: string, context: ToolContext): Promise<Source | null> {
  const seen = new Set([path]);
  let found: Source | null = null;
  while (seen.size <= MOST_SPLITS) {
    const next = await splitOff(found?.path ?? path, context);
    if (next === null || seen.has(next.path)) break;
    seen.add(next.path);
    found = next;
  }
  return found;
}

/** From which file a file was split off, in a sentence; empty for one that was written anew. */
export async function saySource(path: string, context: ToolContext): Promise<string> {
  const source = await sourceOf(path, context);
  if (!source) return '';
  return `Most of it had been in ${code(source.path)} before, which was begun by ${introduceCommit(context.memory, source.commit)}.`;
}

/** Most of what the file's first commit put into it had stood in one other file until then. */
async function splitOff(path: string, context: ToolContext): Promise<Source | null> {
  const { repo, memory, signal } = context;
  const { commits } = memory;
  const first = commitsOf(path, context).at(-1);
  const parent = first === undefined ? undefined : commits.parents(first)[0];
  const name = first === undefined ? null : nameIn(first, path, context);
  if (first === undefined || parent === undefined || name === null) return null;
  const commit = commits.oid(first);
  const request = { commit, path: name, from: 1, to: MOST_LINES, movedSince: commits.oid(parent), signal };
  const lines = await blame(repo, request).catch(none);
  const before = lines.filter(({ oid, originalPath }) => oid !== commit && originalPath !== name);
  const groups = [...Map.groupBy(before, ({ originalPath }) => originalPath)];
  const [most] = groups.sort(([, a], [, b]) => b.length - a.length);
  if (!most || most[1].length < lines.length * LEAST_SHARED) return null;
  const begun = commitsOf(most[0], context).at(-1);
  return begun === undefined ? null : { path: most[0], commit: begun };
}

/** Which of its names a file had in a commit that touched it. */
function nameIn(commit: number, path: string, { memory: { commits } }: ToolContext): string | null {
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
export async function storyOf(
  { path, lines: [from, to], name }: { path: string; lines: [number, number]; name?: string },
  context: ToolContext,
): Promise<Story> {
  const { repo, memory, signal } = context;
  const request = { commit: memory.revision, path, from, to, most: MOST_CHANGES, signal };
  const changes = (await lineage(repo, request).catch(none)).filter(
    ({ oid }) => memory.commits.find(oid) >= 0,
  );
  if (changes.length === 0) {
    const blamed = countByCommit(await blameOf(path, [from, to], context), memory);
    return { commits: [...blamed.keys()], named: null };
  }
  const first = name === undefined ? undefined : changes.findLast((change) => has(change, name));
  const named = first && first !== changes.at(-1) ? memory.commits.find(first.oid) : null;
  return { commits: changes.map(({ oid }) => memory.commits.find(oid)), named };
}

/** Whether the lines held the name as a word of its own after the change. */
function has({ patch }: LineChange, name: string): boolean {
  const whole = new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`);
  return patch.some((line) => !line.startsWith('-') && whole.test(line));
}

function none(error: unknown): [] {
  if (error instanceof AppError && error.reason === 'timed_out') return [];
  throw error;
}
