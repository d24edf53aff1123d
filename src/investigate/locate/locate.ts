import type { Sentence } from '#contract/common.ts';
import { createSentence } from '#contract/sentence.ts';
import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { type RankedFile, rankFiles } from '#search/code/rank-files.ts';
import { rankFunctions } from '#search/code/rank-functions.ts';
import type { Query } from '#search/lexical/parse-query.ts';
import type { FrameHint } from '#search/signals/signal.ts';
import { isCommentLine } from './comment-line.ts';
import { type ErrorWords, textSimilarity } from './error-words.ts';
import type { MessageOrigin } from './message-origin.ts';
import type { PlacedFrame } from './place-frames.ts';
import { relativeOdds } from './softmax.ts';
import type { SourceReader } from './source-reader.ts';

/** A file likely to contain the fault, with its best lines. */
export interface LocatedPlace {
  file: number;
  path: string;
  start: number;
  end: number;
  symbol: string | null;
  /** Fused score of the file, 1 for the best. */
  score: number;
  /** Its most relevant line: of a frame, of the message's origin, or the one most similar to the error. */
  focus: number;
  /** False where the focus is a guess within the function: nothing names a line of this revision. */
  isFocusKnown: boolean;
  /** Evidence for the focus. */
  source: 'frame' | 'origin' | 'words';
  quote: string;
  /** Names called in its lines. */
  calls: Set<string>;
  why: Sentence;
}

/** A function likely to contain the fault. */
export interface LocatedFunction {
  path: string;
  symbol: string;
  start: number;
  end: number;
  /** Odds relative to the best one, 0 to 1. */
  score: number;
}

/** Ranked files, and the best of them as places. */
export interface LocatedError {
  files: { path: string; score: number }[];
  places: LocatedPlace[];
  /** Best first. */
  functions: LocatedFunction[];
  /** Probability of the first three files by the ranking itself, 0 to 1, shrunk where there are few files. */
  topKProbability: number;
  /** Current lines of the best files. */
  texts: Map<string, string[]>;
}

const MAX_FILES = 30;
const MAX_PLACES = 5;
const MAX_FUNCTIONS = 25;
/** Added to the fused score, which is at most 1, so that the innermost frame outweighs all words. */
const FRAME_WEIGHT = 0.6;
const ORIGIN_WEIGHT = 0.5;
/** Of a name that a caller uses, divided by the number of source files that define it. */
const USED_NAME_WEIGHT = 0.4;
const MAX_DEFINING_FILES = 3;
const MAX_QUOTED_LINES = 3;
/** Lines of a place that are searched for calls. */
const MAX_CALL_LINES = 200;
/** A literal with this share of the message is certainly its origin. */
const MIN_ORIGIN_SHARE = 0.6;

interface LocateInput {
  query: Query;
  words: ErrorWords;
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  /** Names that the failing code of a caller uses. */
  used?: readonly string[];
  index: RepositoryIndex;
  /** Embedding of the error. */
  embedding?: QueryEmbedding | null;
  sources: SourceReader;
  signal?: AbortSignal;
}

/** Ranks files by words, history, frames and the origin of the message, and finds the best lines of the best files. */
export async function locate(input: LocateInput): Promise<LocatedError> {
  const { code } = input.index;
  if (!code) return { files: [], places: [], functions: [], topKProbability: 0, texts: new Map() };
  const rankedByText = rankCandidateFiles(input);
  await yieldIfDue(input.signal);
  const functions = await locateFunctions(code, rankedByText, input);
  await yieldIfDue(input.signal);
  const ranked = addFrameAndOriginScores(code, rankedByText, input);
  await yieldIfDue(input.signal);
  const places = await Promise.all(ranked.slice(0, MAX_PLACES).map((file) => locatePlace(code, file, input)));
  const files = ranked.map(({ file, score }) => ({ path: code.filePath(file), score }));
  return {
    files,
    places: places.filter((place) => place !== null),
    functions,
    topKProbability: topKProbability(rankedByText, code.fileCount),
    texts: await readFileLines(
      files.map(({ path }) => path),
      input.sources,
    ),
  };
}

/** Files whose current lines are read, to compare them with the lines that commits added. */
const MAX_TEXTS = 8;

/** Reads the lines of the first files; leaves out absent and too large ones. */
export async function readFileLines(paths: string[], sources: SourceReader): Promise<Map<string, string[]>> {
  const firstPaths = paths.slice(0, MAX_TEXTS);
  const lines = await Promise.all(firstPaths.map((path) => sources.lines(path)));
  return new Map(firstPaths.flatMap((path, i) => (lines[i] ? [[path, lines[i]]] : [])));
}

/** Files whose joint probability is stated. */
const TOP_K = 3;

/** Number of files at which the probability is halved: among five files, any three are likely to be right. */
const SHRINKAGE_FILES = 30;

/** Probability of the first files by a softmax over the scores, which the weights were fitted for. */
function topKProbability(ranked: RankedFile[], fileCount: number): number {
  if (ranked.length === 0) return 0;
  const odds = relativeOdds(ranked.map(({ score }) => score));
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  return ((sum(odds.slice(0, TOP_K)) / sum(odds)) * fileCount) / (fileCount + SHRINKAGE_FILES);
}

/** Files that are part of no program: settings of services that build it, images, and lists of changes. */
const OUTSIDE_PROGRAM =
  /(?:^|\/)\.(?:github|circleci)\/|(?:^|\/)(?:\.travis|\.gitlab-ci|azure-pipelines)\.ya?ml$|\.(?:svg|png|gif|jpe?g|ico)$|(?:^|\/)(?:change(?:s|log)|history|news)(?:\.(?:md|rst|txt|xml))?$/i;

/** Ranks the files of the program, and others that the error names. */
function rankCandidateFiles({ query, frames, origins, index, embedding }: LocateInput): RankedFile[] {
  const named = new Set([...frames, ...origins].map(({ path }) => path));
  const ranked = rankFiles(index, query, {
    frames: toFrameHints(frames),
    literals: origins.map((origin) => origin.quote),
    limit: 2 * MAX_FILES,
    embedding,
  });
  return ranked
    .filter(({ file }) => {
      const path = index.code!.filePath(file);
      return !OUTSIDE_PROGRAM.test(path) || named.has(path);
    })
    .slice(0, MAX_FILES);
}

function toFrameHints(frames: PlacedFrame[]): FrameHint[] {
  return frames.map(({ path, line, frame }) => ({ path, line: line ?? undefined, symbol: frame.symbol }));
}

async function locateFunctions(
  code: CodeTable,
  files: RankedFile[],
  { index, query, frames, sources }: LocateInput,
): Promise<LocatedFunction[]> {
  const ranked = await rankFunctions(index, query, files, {
    limit: MAX_FUNCTIONS,
    frames: toFrameHints(frames),
    lines: sources.lines,
  });
  const odds = relativeOdds(ranked.map(({ score }) => score));
  return ranked.map(({ file, symbol, start, end }, i) => ({
    symbol,
    start,
    end,
    path: code.filePath(file),
    score: odds[i]!,
  }));
}

function addFrameAndOriginScores(
  code: CodeTable,
  ranked: RankedFile[],
  { frames, origins, used = [] }: LocateInput,
): RankedFile[] {
  const files = new Map(ranked.map((file) => [file.file, { ...file }]));
  const top = ranked[0]?.score || 1;
  for (const file of files.values()) file.score /= top;
  const add = (file: number, weight: number) => {
    const fused = files.get(file) ?? { file, score: 0, passages: [], signals: {} };
    fused.score += weight;
    files.set(file, fused);
  };
  const seen = new Set<number>();
  for (const { file } of frames) {
    // Halved for each outer file: most faults are where the program stopped, or one call above.
    if (!seen.has(file)) add(file, FRAME_WEIGHT / 2 ** seen.size);
    seen.add(file);
  }
  const best = origins[0];
  if (best) add(best.file, ORIGIN_WEIGHT * best.share);
  const defining = new Map<number, number>();
  for (const files of used.map((name) => definingFiles(code, name)))
    for (const file of files)
      defining.set(file, Math.max(defining.get(file) ?? 0, USED_NAME_WEIGHT / files.length));
  for (const [file, weight] of defining) add(file, weight);
  const sorted = [...files.values()].sort((a, b) => b.score - a.score);
  const highest = sorted[0]?.score || 1;
  return sorted
    .filter(({ file }) => file < code.fileCount)
    .map((file) => ({ ...file, score: file.score / highest }));
}

/** Source files that define a name; none for a name that many define. */
function definingFiles(code: CodeTable, name: string): number[] {
  const files = code.passagesDefining(name).flatMap((passage) => code.passageFiles(passage));
  const sources = [...new Set(files.map((file) => implementationOf(code, file)))].filter(
    (file) => !isNonSource(code.filePath(file)),
  );
  return sources.length > MAX_DEFINING_FILES ? [] : sources;
}

/** The file beside a declaration of types, which cannot fail itself: `cart.js` for `cart.d.ts`. */
function implementationOf(code: CodeTable, file: number): number {
  const [, stem, kind] = /^(.+)\.d\.([cm]?)ts$/.exec(code.filePath(file)) ?? [];
  const implementation = stem === undefined ? -1 : code.fileNumber(`${stem}.${kind}js`);
  return implementation < 0 ? file : implementation;
}

/** The passage of a file that defines one of the names. */
function definingPassage(code: CodeTable, file: number, names: readonly string[]): number | undefined {
  return names
    .flatMap((name) => code.passagesDefining(name))
    .find((passage) => code.passageFiles(passage).includes(file));
}

async function locatePlace(
  code: CodeTable,
  ranked: RankedFile,
  input: LocateInput,
): Promise<LocatedPlace | null> {
  const path = code.filePath(ranked.file);
  const lines = (await input.sources.lines(path)) ?? [];
  const frame = input.frames.find(({ file, line }) => file === ranked.file && line !== null);
  const origin = input.origins.find(({ file }) => file === ranked.file);
  const evidentLine = focusLine(frame, origin, input.frames[0]);
  const passage =
    evidentLine === null
      ? (definingPassage(code, ranked.file, input.used ?? []) ?? ranked.passages[0]?.passage)
      : passageAt(code, ranked.file, evidentLine);
  const { start, end } =
    passage === undefined ? { start: 1, end: Math.min(40, lines.length) } : code.passageLines(passage);
  const isFocusKnown = evidentLine !== null && evidentLine !== frame?.range?.start;
  const focus = isFocusKnown ? evidentLine : mostSimilarLine(lines, start, end, input.words);
  const from = Math.max(start, focus - 1);
  const place = {
    start,
    end: Math.max(start, end),
    focus,
    isFocusKnown,
    // A passage of several small functions has no symbol; the frame names one.
    symbol: (passage === undefined ? null : code.passageSymbol(passage)) ?? frame?.frame.symbol ?? null,
  };
  const shared = textSimilarity(input.words, lines.slice(start - 1, end).join('\n'));
  return {
    ...place,
    file: ranked.file,
    path,
    score: ranked.score,
    source: frame ? 'frame' : origin ? 'origin' : 'words',
    quote: lines.slice(from - 1, from - 1 + MAX_QUOTED_LINES).join('\n'),
    calls: findCalledNames(lines.slice(start - 1, Math.min(end, start + MAX_CALL_LINES))),
    why: explain({ frame, origin, symbol: place.symbol, shared: shared.words, innermost: input.frames[0] }),
  };
}

/** Keywords that precede a parenthesis. */
const KEYWORDS = new Set([
  'if',
  'for',
  'while',
  'switch',
  'return',
  'catch',
  'function',
  'sizeof',
  'elif',
  'match',
]);

function findCalledNames(lines: string[]): Set<string> {
  const names = lines.flatMap((line) =>
    Array.from(line.matchAll(/([\p{L}_$][\w$]*)\s?\(/gu), ([, name]) => name!),
  );
  return new Set(names.filter((name) => !KEYWORDS.has(name)));
}

/** The focus line: the origin of the message is more reliable than a frame's line number of another version. */
function focusLine(
  frame: PlacedFrame | undefined,
  origin: MessageOrigin | undefined,
  innermost: PlacedFrame | undefined,
): number | null {
  const isOriginCertain = origin && origin.share >= MIN_ORIGIN_SHARE && (!frame || frame === innermost);
  return (isOriginCertain ? origin.lines[0] : frame?.line) ?? origin?.lines[0] ?? null;
}

/** The smallest passage that contains a line. */
function passageAt(code: CodeTable, file: number, line: number): number | undefined {
  const { first, count } = code.filePassages(file);
  let best: number | undefined;
  let size = Number.POSITIVE_INFINITY;
  for (let passage = first; passage < first + count; passage++) {
    const { start, end } = code.passageLines(passage);
    if (line >= start && line <= end && end - start < size) [best, size] = [passage, end - start];
  }
  return best;
}

/** The line most similar to the error, by default the first; comments only where there is no code. */
function mostSimilarLine(lines: string[], start: number, end: number, words: ErrorWords): number {
  let focus: number | null = null;
  let bestScore = 0;
  for (let line = start; line <= end; line++) {
    const text = lines[line - 1] ?? '';
    if (isCommentLine(text)) continue;
    focus ??= line;
    const { score } = textSimilarity(words, text);
    if (score > bestScore) [focus, bestScore] = [line, score];
  }
  return focus ?? start;
}

interface PlaceReasons {
  frame: PlacedFrame | undefined;
  origin: MessageOrigin | undefined;
  symbol: string | null;
  shared: string[];
  innermost: PlacedFrame | undefined;
}

function explain({ frame, origin, symbol, shared, innermost }: PlaceReasons): Sentence {
  if (frame)
    return createSentence(frame === innermost ? 'debug.why.place_frame' : 'debug.why.place_frame_outer');
  if (origin) return createSentence('debug.why.place_origin');
  if (shared.length === 0) return createSentence('debug.why.place_near');
  return symbol
    ? createSentence('debug.why.place_symbol', { symbol, words: shared })
    : createSentence('debug.why.place_terms', { words: shared });
}
