import { isNonSource } from '#evolution/fixes.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { entitiesOf, type Mention } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces } from '../understand/topic-places.ts';
import { namedTexts } from './history-topic.ts';
import { type TopicScorer, termsOf } from './topic-scorer.ts';

/** Lines that fit a topic best. */
export interface TopicLines {
  path: string;
  from: number;
  to: number;
  /** The best of them, and its number. */
  text: string;
  line: number;
  /** Share of the topic's information in these lines and the name of their place, 0 to 1. */
  score: number;
}

/** Lines of a file that may hold the topic. */
interface SearchRange {
  path: string;
  from: number;
  to: number;
  symbol: string | null;
  factor: number;
}

const MAX_PLACES = 12;
const MAX_FILE_LINES = 4_000;
/** Strength of a word by its distance from a line. */
const DECAY = [1, 0.9, 0.8, 0.7, 0.55];
const PLACE_STRENGTH = 0.6;
/** Lines on each side that are shown and dated with the best line. */
const MARGIN = 2;
const MIN_DISTANCE = 6;
const MAX_LINES = 6;
const MAX_PER_RANGE = 3;
const NAMED_FACTOR = 1.2;
const TEST_FACTOR = 0.8;
const CHANGELOG_FACTOR = 0.5;
const CHANGELOG = /(?:^|\/)(?:change(?:s|log)|history|news|releases?|whatsnew)[^/]*(?:\/|$)/i;
const SURE = 0.8;
/** Lines around one that count as naming a text, and what each text adds. */
const NEAR = 3;
const NAMED_TEXT_SHARE = 0.2;
const MAX_NAMED_TEXTS = 3;
const MAX_NAMING_PASSAGES = 40;

/** Finds the lines on a topic in the places that the question names, and in those that fit it, best first. */
export async function findTopicLines(
  reading: Reading,
  topic: string,
  scorer: TopicScorer,
  context: ToolContext,
): Promise<TopicLines[]> {
  const found: TopicLines[] = [];
  const texts = codeTexts(reading.question);
  for (const range of searchRanges(reading, topic, context)) {
    const lines = (await context.sources.lines(range.path))?.slice(range.from - 1, range.to) ?? [];
    if (lines.length > 0 && scorer.words.length > 0)
      found.push(...bestLines(lines, range, { scorer, texts }));
  }
  found.sort((a, b) => b.score - a.score);
  return found
    .filter(
      (one, at) =>
        !found
          .slice(0, at)
          .some(({ path, from }) => path === one.path && Math.abs(from - one.from) < MIN_DISTANCE),
    )
    .slice(0, MAX_LINES);
}

function searchRanges({ mentions, question }: Reading, topic: string, context: ToolContext): SearchRange[] {
  const { code } = context.index;
  if (!code) return [];
  const sure = mentions.filter(({ score }) => score >= SURE);
  const files = entitiesOf(sure, 'file').filter(({ path }) => code.fileNumber(path) >= 0);
  const named = new Set(files.map(({ path }) => path));
  const ranges: SearchRange[] = files.map(({ path, lines }) => {
    const [from, to] = lines ?? [1, Math.min(MAX_FILE_LINES, code.fileLines(code.fileNumber(path)))];
    return { path, from, to, symbol: null, factor: NAMED_FACTOR };
  });
  for (const { name, passages } of symbolsOf(sure))
    for (const passage of passages.slice(0, 4))
      ranges.push(...rangesOfPassage(passage, name, NAMED_FACTOR, context));
  for (const passage of passagesNaming(question, context))
    ranges.push(...rangesOfPassage(passage, code.passageSymbol(passage), NAMED_FACTOR, context));
  for (const { passage, symbol, path } of findTopicPlaces(topic, context, { limit: MAX_PLACES })) {
    const passages = symbol === null ? [passage] : passagesOf(symbol, passage, context);
    const factor = named.has(path) ? NAMED_FACTOR : 1;
    for (const one of passages) ranges.push(...rangesOfPassage(one, symbol, factor, context));
  }
  return ranges;
}

/** Passages that contain a text which the question writes as code, where few do. */
function passagesNaming(question: string, { index }: ToolContext): number[] {
  const code = index.code!;
  const body = code.field('body');
  return codeTexts(question).flatMap((text) => {
    const lists = [...termsOf(text)].map((term) => body.postings(term)?.docs ?? new Uint32Array());
    const rarest = lists.toSorted((a, b) => a.length - b.length)[0];
    if (!rarest || rarest.length > MAX_NAMING_PASSAGES) return [];
    return [...rarest].filter((passage) => code.passageText(passage)?.includes(text));
  });
}

function codeTexts(question: string): string[] {
  return namedTexts(question)
    .filter(({ isCode }) => isCode)
    .slice(0, MAX_NAMED_TEXTS)
    .map(({ text }) => text);
}

function symbolsOf(mentions: Mention[]) {
  return entitiesOf(mentions, 'symbol');
}

/** Passages of a definition in the file of one of them. */
function passagesOf(symbol: string, passage: number, { index }: ToolContext): number[] {
  const code = index.code!;
  const [file] = code.passageFiles(passage);
  const own = code.passagesDefining(symbol).filter((one) => code.passageFiles(one).includes(file!));
  return own.includes(passage) ? own : [passage, ...own];
}

function rangesOfPassage(
  passage: number,
  symbol: string | null,
  factor: number,
  { index }: ToolContext,
): SearchRange[] {
  const code = index.code!;
  const [file] = code.passageFiles(passage);
  if (file === undefined) return [];
  const { start, end } = code.passageLines(passage);
  const path = code.filePath(file);
  const kind = CHANGELOG.test(path) ? CHANGELOG_FACTOR : isNonSource(path) ? TEST_FACTOR : 1;
  return [{ path, from: start, to: end, symbol, factor: factor * kind }];
}

function bestLines(
  lines: readonly string[],
  range: SearchRange,
  { scorer, texts }: { scorer: TopicScorer; texts: readonly string[] },
): TopicLines[] {
  const strengths = lines.map((line) => scorer.strengthsIn(line));
  const place = scorer
    .strengthsIn(`${range.symbol ?? ''} ${range.path}`)
    .map((value) => value * PLACE_STRENGTH);
  const scored = lines.map((_, at) => {
    const near = lines.slice(Math.max(0, at - NEAR), at + NEAR + 1);
    const named = texts.filter((text) => near.some((line) => line.includes(text))).length;
    const score = scorer.share(combine(strengths, at, place)) * range.factor * (1 + NAMED_TEXT_SHARE * named);
    return { at, score };
  });
  const best = scored
    .filter(({ at }) => strengths[at]!.some((value) => value > 0))
    .sort((a, b) => b.score - a.score);
  return best.slice(0, MAX_PER_RANGE).map(({ at, score }) => ({
    path: range.path,
    from: Math.max(range.from, range.from + at - MARGIN),
    to: Math.min(range.to, range.from + at + MARGIN),
    text: lines[at]!.trim(),
    line: range.from + at,
    score,
  }));
}

/** Best strength of each word around a line. */
function combine(strengths: Float64Array[], at: number, place: Float64Array): Float64Array {
  const combined = Float64Array.from(place);
  for (let offset = -DECAY.length + 1; offset < DECAY.length; offset++) {
    const line = strengths[at + offset];
    const decay = DECAY[Math.abs(offset)]!;
    if (line)
      for (let word = 0; word < line.length; word++)
        combined[word] = Math.max(combined[word]!, decay * line[word]!);
  }
  return combined;
}
