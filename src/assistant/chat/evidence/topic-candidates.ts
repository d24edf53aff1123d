import { type RankedFile, rankFiles } from '#search/code/rank-files.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findTopicPlaces, type TopicPlace } from '../understand/topic-places.ts';
import { cacheOfAnswer } from './cache-of-answer.ts';
import type { Scope } from './scope.ts';
import { PROSE, rankExcerpts, readTopicSections, type TopicExcerpt } from './topic-documents.ts';
import { createTopicMatcher, type TopicMatcher } from './topic-matcher.ts';

/** A place that may answer a question about a topic, with what was found of it. */
export interface TopicCandidate {
  path: string;
  file: number;
  /** Lines of the definition or of the excerpt, from 1. */
  from: number;
  to: number;
  /** Passages of the definition; none for an excerpt of a document. */
  passages: number[];
  symbol: string | null;
  /** Null for code. */
  excerpt: TopicExcerpt | null;
  /** The file among those of the code search, with its place there. */
  ranked: { rank: number; file: RankedFile } | null;
  /** Score of the best of the passages in the code search, compared with the best of all. */
  passageScore: number;
  /** The definition among those about the topic, with its place there. */
  placed: { rank: number; score: number } | null;
  /** Place among the excerpts. */
  excerptRank: number;
}

const MAX_FILES = 30;
const MAX_PLACES = 40;
const MAX_EXCERPTS = 20;
/** Longer definitions are cited in parts. */
const MAX_DEFINITION_LINES = 120;

/** Collects the places of documents, of the code search, and of definitions about a topic. */
export async function collectTopicCandidates(
  topic: string,
  scope: Scope,
  context: ToolContext,
): Promise<{ candidates: TopicCandidate[]; matcher: TopicMatcher }> {
  const { index, queryEmbedding } = context;
  const code = index.code!;
  const matcher = createTopicMatcher(topic, code);
  const excerpts = await findExcerpts(topic, scope, context);
  const options = { limit: MAX_FILES, embedding: queryEmbedding ?? null };
  const files = rankFiles(index, parseQuery(topic), options);
  const places = findTopicPlaces(topic, context, { limit: MAX_PLACES });
  const candidates = [
    ...mergeCode(files, places, context),
    ...excerpts.slice(0, MAX_EXCERPTS).map((excerpt, rank): TopicCandidate => {
      const { path, from, to } = excerpt;
      const file = code.fileNumber(path);
      const at = files.findIndex((one) => one.file === file);
      return {
        ...{ path, file, from, to, passages: [], symbol: null, excerpt, excerptRank: rank },
        ...{ ranked: at < 0 ? null : { rank: at, file: files[at]! }, passageScore: 0, placed: null },
      };
    }),
  ];
  return { candidates, matcher };
}

const excerptsOfAnswer = cacheOfAnswer<TopicExcerpt[]>();

/** Excerpts of documents about a topic, best first. */
export function findExcerpts(topic: string, scope: Scope, context: ToolContext): Promise<TopicExcerpt[]> {
  return excerptsOfAnswer(context.sources, topic, () => readExcerpts(topic, scope, context));
}

async function readExcerpts(topic: string, scope: Scope, context: ToolContext): Promise<TopicExcerpt[]> {
  if (!context.index.code) return [];
  const matcher = createTopicMatcher(topic, context.index.code);
  return rankExcerpts(await readTopicSections(matcher, scope, context), matcher);
}

/** Passages of code, each with the rest of its definition, once. */
function mergeCode(
  files: readonly RankedFile[],
  places: readonly TopicPlace[],
  { index }: ToolContext,
): TopicCandidate[] {
  const code = index.code!;
  const byPlace = new Map<string, TopicCandidate>();
  const rankOf = new Map(files.map(({ file }, rank) => [file, rank]));
  const best = Math.max(...files.flatMap(({ passages }) => passages.map(({ score }) => score)), 1e-9);
  const add = (file: number, passage: number): TopicCandidate | null => {
    const path = code.filePath(file);
    if (file < 0 || PROSE.test(path)) return null;
    const passages = passagesOfDefinition(file, passage, index);
    const from = code.passageLines(passages[0]!).start;
    const to = Math.max(from, Math.min(code.passageLines(passages.at(-1)!).end, code.fileLines(file)));
    const key = `${file} ${from}`;
    const known = byPlace.get(key);
    if (known) return known;
    const rank = rankOf.get(file);
    const created: TopicCandidate = {
      ...{ path, file, from, to, passages, symbol: code.passageSymbol(passage), excerpt: null },
      ...{ passageScore: 0, placed: null, excerptRank: -1 },
      ranked: rank === undefined ? null : { rank, file: files[rank]! },
    };
    byPlace.set(key, created);
    return created;
  };
  for (const { file, passages } of files) {
    if (passages.length === 0) add(file, code.filePassages(file).first);
    for (const { passage, score } of passages) {
      const one = add(file, passage);
      if (one) one.passageScore = Math.max(one.passageScore, score / best);
    }
  }
  places.forEach(({ path, passage, score }, rank) => {
    const one = add(code.fileNumber(path), passage);
    if (one) one.placed ??= { rank, score };
  });
  return [...byPlace.values()];
}

/** The passages around one that belong to the same definition, as far as it is short. */
function passagesOfDefinition(file: number, passage: number, { code }: ToolContext['index']): number[] {
  const symbol = code!.passageSymbol(passage);
  const { first, count } = code!.filePassages(file);
  if (symbol === null) return [passage];
  let [from, to] = [passage, passage];
  const isPart = (one: number) => one >= first && one < first + count && code!.passageSymbol(one) === symbol;
  const lines = () => code!.passageLines(to).end - code!.passageLines(from).start + 1;
  while (isPart(from - 1)) from--;
  while (isPart(to + 1)) to++;
  if (lines() > MAX_DEFINITION_LINES) return [passage];
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
