import type { Sentence } from '#contract/common.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { type RankedFile, rankFiles } from '#search/code/rank-files.ts';
import { rankFunctions } from '#search/functions/rank-functions.ts';
import type { Query } from '#search/query/parse-query.ts';
import type { FrameHint } from '#search/signals/signal.ts';
import { say } from '../sentences.ts';
import { type ErrorWords, textSimilarity } from '../text/error-words.ts';
import type { SourceReader } from '../text/source-reader.ts';
import type { MessageOrigin } from './message-origin.ts';
import type { PlacedFrame } from './place-frames.ts';

/** A file that the error is about, with its best lines. */
export interface LocatedPlace {
  file: number;
  path: string;
  start: number;
  end: number;
  symbol: string | null;
  /** Fused score of the file, 1 for the best. */
  score: number;
  /** The line in the middle of it: a frame's, the message's, or the one most like the error. */
  focus: number;
  /** How the focus is known. */
  source: 'frame' | 'origin' | 'words';
  quote: string;
  /** Names that its lines call. */
  calls: Set<string>;
  why: Sentence;
}

/** A definition that the error may be about. */
export interface LocatedFunction {
  path: string;
  symbol: string;
  start: number;
  end: number;
  /** How likely beside the best one, 0 to 1. */
  score: number;
}

/** All files that the ranking names, for weighing commits, and the best of them as places. */
export interface LocatedError {
  files: { path: string; score: number }[];
  places: LocatedPlace[];
  /** Best first. */
  functions: LocatedFunction[];
  /** How likely the ranking thinks its first three files together, 0 to 1; less where there are few files. */
  topKProbability: number;
  /** Lines of the best files as they are now. */
  texts: Map<string, string[]>;
}

const MAX_FILES = 30;
const MAX_PLACES = 5;
const MAX_FUNCTIONS = 25;
/** What a frame and the origin add to the fused score (at most 1): the innermost frame outweighs all words. */
const FRAME_WEIGHT = 0.6;
const ORIGIN_WEIGHT = 0.5;
const MAX_QUOTED_LINES = 3;
/** Lines of a place whose calls are read. */
const MAX_CALL_LINES = 200;
/** A literal that makes so much of the message is where the message was made. */
const MIN_ORIGIN_SHARE = 0.6;

interface LocateInput {
  query: Query;
  words: ErrorWords;
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  memory: RepositoryIndex;
  /** What the error means to an embedding model. */
  embedding?: QueryEmbedding | null;
  sources: SourceReader;
  signal?: AbortSignal;
}

/** Ranks files by words, history, frames and the message's origin, and finds the best lines of the best files. */
export async function locate(input: LocateInput): Promise<LocatedError> {
  const { code } = input.memory;
  if (!code) return { files: [], places: [], functions: [], topKProbability: 0, texts: new Map() };
  const named = rankCandidateFiles(input);
  await yieldIfDue(input.signal);
  const functions = await locateFunctions(code, named, input);
  await yieldIfDue(input.signal);
  const ranked = addFrameAndOriginScores(code, named, input);
  await yieldIfDue(input.signal);
  const places = await Promise.all(ranked.slice(0, MAX_PLACES).map((file) => locatePlace(code, file, input)));
  const files = ranked.map(({ file, score }) => ({ path: code.filePath(file), score }));
  return {
    files,
    places: places.filter((place) => place !== null),
    functions,
    topKProbability: topKProbability(named, code.fileCount),
    texts: await readLines(
      files.map(({ path }) => path),
      input.sources,
    ),
  };
}

/** Files whose present lines are compared with what commits wrote. */
const MAX_TEXTS = 8;

/** Lines of the first of these files; those that are absent or too large are left out. */
export async function readLines(paths: string[], sources: SourceReader): Promise<Map<string, string[]>> {
  const some = paths.slice(0, MAX_TEXTS);
  const lines = await Promise.all(some.map((path) => sources.lines(path)));
  return new Map(some.flatMap((path, index) => (lines[index] ? [[path, lines[index]]] : [])));
}

/** Files that a probability is stated for. */
const TOP_K = 3;

/** Files at which the ranking's own opinion counts half: among five files, three are soon the right ones. */
const SHRINKAGE_FILES = 30;

/** The ranking is a softmax over files, so its scores are logarithms of what it thinks likely. */
function topKProbability(ranked: RankedFile[], fileCount: number): number {
  if (ranked.length === 0) return 0;
  const top = ranked[0]!.score;
  const shares = ranked.map(({ score }) => Math.exp(score - top));
  const sum = (some: number[]) => some.reduce((total, share) => total + share, 0);
  return ((sum(shares.slice(0, TOP_K)) / sum(shares)) * fileCount) / (fileCount + SHRINKAGE_FILES);
}

function rankCandidateFiles({ query, frames, origins, memory, embedding: meaning }: LocateInput): RankedFile[] {
  return rankFiles(memory, query, {
    frames: toFrameHints(frames),
    literals: origins.map((origin) => origin.quote),
    limit: MAX_FILES,
    embedding: meaning,
  });
}

function toFrameHints(frames: PlacedFrame[]): FrameHint[] {
  return frames.map(({ path, line, frame }) => ({ path, line: line ?? undefined, symbol: frame.symbol }));
}

async function locateFunctions(
  code: CodeTable,
  files: RankedFile[],
  { memory, query, frames, sources }: LocateInput,
): Promise<LocatedFunction[]> {
  const ranked = await rankFunctions(memory, query, files, {
    limit: MAX_FUNCTIONS,
    frames: toFrameHints(frames),
    lines: sources.lines,
  });
  return ranked.map(({ file, score, ...definition }) => ({
    ...definition,
    path: code.filePath(file),
    score: Math.exp(score - ranked[0]!.score),
  }));
}

function addFrameAndOriginScores(code: CodeTable, ranked: RankedFile[], { frames, origins }: LocateInput): RankedFile[] {
  const files = new Map(ranked.map((file) => [file.file, { ...file }]));
  const top = ranked[0]?.score || 1;
  for (const file of files.values()) file.score /= top;
  const add = (file: number, weight: number) => {
    const known = files.get(file) ?? { file, score: 0, passages: [], signals: {} };
    known.score += weight;
    files.set(file, known);
  };
  const seen = new Set<number>();
  for (const { file } of frames) {
    // Halved for every file further out: the fault is most often where the program stopped, or one call above.
    if (!seen.has(file)) add(file, FRAME_WEIGHT / 2 ** seen.size);
    seen.add(file);
  }
  const best = origins[0];
  if (best) add(best.file, ORIGIN_WEIGHT * best.share);
  const sorted = [...files.values()].sort((a, b) => b.score - a.score);
  const highest = sorted[0]?.score || 1;
  return sorted
    .filter(({ file }) => file < code.fileCount)
    .map((file) => ({ ...file, score: file.score / highest }));
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
  const known = focusLine(frame, origin, input.frames[0]);
  const passage = known === null ? ranked.passages[0]?.passage : passageAt(code, ranked.file, known);
  const { start, end } =
    passage === undefined ? { start: 1, end: Math.min(40, lines.length) } : code.passageLines(passage);
  const focus = known ?? mostSimilarLine(lines, start, end, input.words);
  const from = Math.max(start, focus - 1);
  const place = {
    start,
    end: Math.max(start, end),
    focus,
    // A passage of several small functions has no name of its own; the frame has.
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

/** Words before a parenthesis that call nothing. */
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

/** Where a file's place is: the message's own line is surer than a line number of another version. */
function focusLine(
  frame: PlacedFrame | undefined,
  origin: MessageOrigin | undefined,
  innermost: PlacedFrame | undefined,
): number | null {
  const made = origin && origin.share >= MIN_ORIGIN_SHARE && (!frame || frame === innermost);
  return (made ? origin.lines[0] : frame?.line) ?? origin?.lines[0] ?? null;
}

/** The smallest passage of the file around a line. */
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

function mostSimilarLine(lines: string[], start: number, end: number, words: ErrorWords): number {
  let focus = start;
  let most = 0;
  for (let line = start; line <= end; line++) {
    const { score } = textSimilarity(words, lines[line - 1] ?? '');
    if (score > most) [focus, most] = [line, score];
  }
  return focus;
}

interface Reasons {
  frame: PlacedFrame | undefined;
  origin: MessageOrigin | undefined;
  symbol: string | null;
  shared: string[];
  innermost: PlacedFrame | undefined;
}

function explain({ frame, origin, symbol, shared, innermost }: Reasons): Sentence {
  if (frame) return say(frame === innermost ? 'debug.why.place_frame' : 'debug.why.place_frame_outer');
  if (origin) return say('debug.why.place_origin');
  if (shared.length === 0) return say('debug.why.place_near');
  return symbol
    ? say('debug.why.place_symbol', { symbol, words: shared })
    : say('debug.why.place_words', { words: shared });
}
