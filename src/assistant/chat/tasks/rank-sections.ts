import { posix } from 'node:path';
import type { DocSection } from '../evidence/doc-sections.ts';
import { pathKind } from '../evidence/path-kinds.ts';
import type { TopicMatcher } from '../evidence/topic-matcher.ts';
import type { taskKindsOf } from './task-kinds.ts';

type TaskKinds = ReturnType<typeof taskKindsOf>;

/** A section with its fit to a question; about 2 where it fits in all respects. */
export interface RankedSection {
  section: DocSection;
  score: number;
}

/** Lines of documents that an answer quotes. */
export const MAX_SHOWN_LINES = 45;
const MAX_TEXT_LENGTH = 6_000;
const PARENT_SHARE = 0.5;

/** Ranks sections by their titles, those above them, their text and the names of their files, best first. */
export function rankSections(
  sections: readonly DocSection[],
  kinds: TaskKinds,
  matcher: TopicMatcher,
): RankedSection[] {
  return sections
    .map((section) => ({ section, score: scoreSection(section, kinds, matcher) }))
    .toSorted((a, b) => b.score - a.score);
}

function scoreSection(section: DocSection, kinds: TaskKinds, matcher: TopicMatcher): number {
  const { path, title, parents, lines, hasCommands } = section;
  const name = posix.basename(path);
  const depth = path.split('/').length - 1;
  const plain = (text: string) => text.replace(/[`*[\]()]/g, ' ');
  const inTitle = matcher.match(plain(title));
  const inParents = PARENT_SHARE * matcher.match(plain(parents.join(' ')));
  const isOfKind = (text: string) => kinds.some(({ words }) => words.test(text));
  return (
    matcher.match(lines.join('\n').slice(0, MAX_TEXT_LENGTH)) +
    0.7 * Math.max(inTitle, inParents) +
    0.35 * Number(kinds.some(({ files }) => files.test(name))) +
    0.35 * Math.max(Number(isOfKind(title)), PARENT_SHARE * Number(isOfKind(parents.join(' ')))) +
    0.25 * Number(hasCommands) +
    0.15 * Number(pathKind(path) === 'document') +
    0.2 / (1 + depth) -
    0.3 * Number(lines.length < 3)
  );
}

/** The whole document where it is short and about the task alone, else the section. */
export function wholeTopic(best: DocSection, sections: readonly DocSection[], kinds: TaskKinds): DocSection {
  const name = posix.basename(best.path);
  const isAboutTask = kinds.some(({ files }) => files.test(name)) && !/^readme\.[a-z]+$/i.test(name);
  if (!isAboutTask) return best;
  const own = sections.filter(({ path }) => path === best.path);
  let first = own.indexOf(best);
  let last = first;
  const length = (from: number, to: number) => own[to]!.to - own[from]!.from + 1;
  while (own[last + 1] && length(first, last + 1) <= MAX_SHOWN_LINES) last++;
  while (own[first - 1] && length(first - 1, last) <= MAX_SHOWN_LINES) first--;
  const parts = own.slice(first, last + 1);
  return { ...best, from: parts[0]!.from, to: parts.at(-1)!.to, lines: joinLines(parts) };
}

function joinLines(parts: readonly DocSection[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    while (lines.length < part.from - parts[0]!.from) lines.push('');
    lines.push(...part.lines);
  }
  return lines;
}
