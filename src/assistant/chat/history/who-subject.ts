import { answerText } from '../../answer/answer-text.ts';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findHeaderRow, isDefinitionRow } from '../evidence/definition-lines.ts';
import { isTestPath } from '../evidence/path-kinds.ts';
import { type CodeRange, findCodeRange } from '../understand/code-range.ts';
import { entitiesOf, type Mention } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces } from '../understand/topic-places.ts';
import { isStopWord } from '../understand/topic-words.ts';
import type { AuthoredCode } from './authorship.ts';
import { historyTopic } from './history-topic.ts';
import { TopicScorer } from './topic-scorer.ts';

/** Code that a question about people is about. */
export interface WhoSubject extends AuthoredCode {
  /** Markdown. */
  name: string;
  /** Certainty, 0 to 1. */
  score: number;
}

const MAX_PLACES = 24;
/** Share of the best place's score from which another counts for its file. */
const CLOSE_SHARE = 0.75;
const TOPIC_FACTOR = 0.9;
const MIN_PLACE_SCORE = 0.25;
const MAX_FOLDER_FILES = 4_000;
/** A mention of this certainty is the subject; a less certain one competes with the topic. */
const SURE = 0.8;
const GUESS_FACTOR = 0.7;
/** Rows that a definition has behind its first passage. */
const MAX_EXTENSION = 400;
const NAMED_KINDS = new Set(['file', 'symbol', 'deleted_path', 'folder']);
const IDENTIFIER = /[A-Za-z_$][\w$]{2,}/g;
const TESTS = /\b(?:tests|test (?:suite|file|cases)|specs|pruebas|essais)\b/i;

/** Finds the code whose people a question asks for: named, or by the words of a feature; null for the project. */
export async function findWhoSubject(reading: Reading, context: ToolContext): Promise<WhoSubject | null> {
  const [best] = reading.mentions
    .filter(({ entity }) => NAMED_KINDS.has(entity.kind))
    .toSorted((a, b) => rankKind(b) - rankKind(a) || b.score - a.score);
  if (TESTS.test(reading.question) && (best === undefined || best.score < 1)) {
    const tests = topicSubject(reading, context, isTestPath);
    if (tests) return tests;
  }
  const named = best && best.entity.kind !== 'folder' ? findCodeRange([best], context) : null;
  const range = best && named ? await wholeDefinition(named, context) : null;
  if (best && range && best.score >= SURE) {
    return (
      (await definitionInFile(range, reading, context)) ?? {
        ...range,
        paths: [range.path],
        score: best.score,
      }
    );
  }
  const [folder] = entitiesOf(reading.mentions, 'folder');
  if (folder) return folderSubject(folder.path, context);
  const topic = topicSubject(reading, context);
  if (best && range && best.score * GUESS_FACTOR > (topic?.score ?? 0))
    return { ...range, paths: [range.path], score: best.score * GUESS_FACTOR };
  return topic;
}

/** Sure mentions first; a definition is more specific than the file that is named with it, and that than its folder. */
function rankKind({ entity: { kind }, score }: Mention): number {
  if (score < SURE) return 0;
  return kind === 'symbol' ? 3 : kind === 'folder' ? 1 : 2;
}

/** The range with the rest of a long definition, of which the index has only the first passage under its name. */
async function wholeDefinition(range: CodeRange, { sources, index }: ToolContext): Promise<CodeRange> {
  const file = index.code?.fileNumber(range.path) ?? -1;
  if (range.symbol === undefined || !range.lines || file < 0) return range;
  const rows = (await sources.lines(range.path)) ?? [];
  const [from, to] = range.lines;
  const header =
    from - 1 + findHeaderRow(rows.slice(from - 1, to), range.symbol, index.code!.fileLanguage(file));
  const indent = indentOf(rows[header] ?? '');
  let end = to;
  while (end < rows.length && end - to < MAX_EXTENSION && isInside(rows[end]!, indent)) end++;
  const closes = end > to && /^\s*[\])}]/.test(rows[end] ?? '');
  return { ...range, lines: [from, closes ? end + 1 : end] };
}

function isInside(row: string, indent: number): boolean {
  return row.trim() === '' || indentOf(row) > indent;
}

function indentOf(row: string): number {
  return row.length - row.trimStart().length;
}

/** Definition in a named file whose name is a word of the question: `walk` in `builtin.jq`. */
async function definitionInFile(
  { path, lines, symbol }: CodeRange,
  reading: Reading,
  { index, sources }: ToolContext,
): Promise<WhoSubject | null> {
  const file = index.code?.fileNumber(path) ?? -1;
  if (lines !== null || symbol !== undefined || file < 0) return null;
  const language = index.code!.fileLanguage(file);
  const rows = (await sources.lines(path)) ?? [];
  const words = new Set(
    historyTopic(reading)
      .match(IDENTIFIER)
      ?.filter((word) => !isStopWord(word)),
  );
  for (const word of words) {
    if (path.includes(word)) continue;
    const row = rows.findIndex((text) => isDefinitionRow(text, word, language));
    if (row < 0) continue;
    const length = rows.slice(row + 1).findIndex((text) => text.trim() === '' || /^\S/.test(text));
    const to = length < 0 ? rows.length : row + 1 + length;
    return { name: inlineCode(word), paths: [path], lines: [row + 1, to], score: SURE };
  }
  return null;
}

function folderSubject(folder: string, { index }: ToolContext): WhoSubject | null {
  const code = index.code;
  if (!code) return null;
  const paths: string[] = [];
  for (let file = 0; file < code.fileCount && paths.length < MAX_FOLDER_FILES; file++)
    if (code.filePath(file).startsWith(`${folder}/`)) paths.push(code.filePath(file));
  return paths.length === 0 ? null : { name: inlineCode(folder), paths, lines: null, score: 0.9 };
}

/** The file with most of the places on the topic, or the definition where only one of its places fits. */
function topicSubject(
  reading: Reading,
  context: ToolContext,
  accepts: (path: string) => boolean = () => true,
): WhoSubject | null {
  const { code } = context.index;
  const topic = historyTopic(reading);
  const places = findTopicPlaces(topic, context, { limit: MAX_PLACES }).filter(({ path }) => accepts(path));
  const [best] = places;
  if (!best || best.score < MIN_PLACE_SCORE || !code) return null;
  const close = places.filter(({ score }) => score >= best.score * CLOSE_SHARE);
  const sums = [...Map.groupBy(close, ({ path }) => path)]
    .map(([path, own]) => ({ path, own, sum: own.reduce((sum, { score }) => sum + score, 0) }))
    .sort((a, b) => b.sum - a.sum);
  const { path, own } = sums[0]!;
  const scorer = new TopicScorer(topic, context);
  const isFile = own.length > 1 || scorer.cover([{ text: path, strength: 1 }]) >= best.score * CLOSE_SHARE;
  const score = best.score * TOPIC_FACTOR;
  const [place] = own;
  if (isFile || !place || place.symbol === null)
    return { name: inlineCode(path), paths: [path], lines: null, score };
  const { start, end } = code.passageLines(place.passage);
  const name = answerText(context, 'symbol_in_place', {
    symbol: inlineCode(place.symbol),
    place: inlineCode(path),
  });
  return { name, paths: [path], lines: [start, end], score };
}
