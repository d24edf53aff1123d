import { answerText, formatDate } from '../../answer/answer-text.ts';
import { inlineCode } from '../../answer/markdown.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findCodeRange } from '../understand/code-range.ts';
import { entitiesOf, type Mention, type RangeEnd } from '../understand/entities.ts';
import { parseSince } from '../understand/parse-since.ts';
import type { Reading } from '../understand/reading.ts';
import { commitsInRange } from './commit-range.ts';

/** Commits that a question selects by place, person and time. */
export interface SelectedCommits {
  /** Newest first. */
  commits: number[];
  /** Markdown that names the place; the project without one. */
  name: string;
  /** True when a file, folder or definition limits the commits. */
  hasPlace: boolean;
  /** Name of the person whose commits they are. */
  person: string | null;
  from: RangeEnd | null;
  to: RangeEnd | null;
}

/** A less certain mention does not restrict the commits. */
const MIN_SCORE = 0.6;

/** Selects the commits that a question is about. */
export async function selectCommits(reading: Reading, context: ToolContext): Promise<SelectedCommits> {
  const mentions = reading.mentions.filter(({ score }) => score >= MIN_SCORE);
  const range = await findRange(reading, mentions, context);
  const place = findPlace(mentions, context);
  const [person] = entitiesOf(mentions, 'person');
  const { commits } = context.index;
  const inRange = range
    ? commitsInRange(range, context.index)
    : Array.from({ length: commits.count }, (_, commit) => commit);
  const emails = new Set(person?.emails.map((email) => email.toLowerCase()));
  const isAuthor = (commit: number) =>
    person === undefined ||
    emails.has(commits.email(commit).toLowerCase()) ||
    commits.author(commit) === person.name;
  return {
    commits: inRange.filter((commit) => (place?.has(commit) ?? true) && isAuthor(commit)),
    name: place?.name ?? answerText(context, 'changes.project'),
    hasPlace: place !== null,
    person: person?.name ?? null,
    from: range?.from ?? null,
    to: range?.to ?? null,
  };
}

/** File, definition or folder whose commits are meant. */
function findPlace(
  mentions: Mention[],
  context: ToolContext,
): { name: string; has(commit: number): boolean } | null {
  const { commits } = context.index;
  const range = findCodeRange(mentions, context);
  if (range) {
    const touching = new Set(commitsTouching(range.path, context));
    return { name: range.name, has: (commit) => touching.has(commit) };
  }
  const folder = entitiesOf(mentions, 'folder')[0]?.path;
  if (folder === undefined) return null;
  const isBelow = (path: number) => commits.path(path).startsWith(`${folder}/`);
  return { name: inlineCode(folder), has: (commit) => commits.paths(commit).some(isBelow) };
}

/** Range that the mentions or the words of the question bound; null for the whole history. */
async function findRange(
  { question }: Reading,
  mentions: Mention[],
  context: ToolContext,
): Promise<{ from: RangeEnd; to: RangeEnd } | null> {
  const { index, now } = context;
  const ranges = entitiesOf(mentions, 'range');
  // `I last looked in 2025, what changed since March?` asks for the range that lasts until now.
  const range = ranges.find(({ to }) => to.label === 'HEAD') ?? ranges[0];
  if (range) return range;
  const head: RangeEnd = { label: 'HEAD', oid: index.revision, time: now };
  const versions = entitiesOf(mentions, 'version').toSorted((a, b) => a.time - b.time);
  const [first, last] = [versions[0], versions.at(-1)];
  if (first && last && first !== last) return { from: toEnd(first), to: toEnd(last) };
  if (first) return { from: toEnd(first), to: head };
  const [named] = entitiesOf(mentions, 'commit');
  if (named) {
    const { commits } = index;
    const from = {
      label: commits.oid(named.commit).slice(0, 7),
      oid: commits.oid(named.commit),
      time: commits.time(named.commit),
    };
    return { from, to: head };
  }
  const since = await parseSince(question, context);
  if (!since) return null;
  const label = since.revision ?? formatDate(since.time, context);
  return { from: { label: label ?? '', oid: null, time: since.time }, to: head };
}

function toEnd({ tag, oid, time }: { tag: string; oid: string; time: number }): RangeEnd {
  return { label: tag, oid, time };
}

/** Markdown that names an end of a range: a revision as code, a date as text; null for an open end. */
export function formatEnd(end: RangeEnd | null): string | null {
  if (end === null || end.label === '') return null;
  return end.oid === null ? end.label : inlineCode(end.label);
}
