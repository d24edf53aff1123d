import { createWriteStream, type WriteStream } from 'node:fs';
import { readTemplateLines } from '../src/investigate/locate/issue-templates.ts';
import { removeBoilerplate } from '../src/investigate/locate/report-boilerplate.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { parseTrace } from '../src/investigate/trace/read-trace.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import type { QueryEmbedding } from '../src/memory/vectors/passage-similarity.ts';
import { rankFiles } from '../src/search/code/rank-files.ts';
import { rankFunctions } from '../src/search/code/rank-functions.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { RIVALS, rankByBm25 } from './bm25.ts';
import { candidatesOf } from './candidates.ts';
import { createQueryEmbedder } from './embed-query.ts';
import { collectFeatures, extractHints } from './features.ts';
import { readOptions } from './options.ts';
import { revisit } from './revisions.ts';
import { type Outcome, placesOf, scoreTable } from './scores.ts';

type RankFunctionsOptions = Parameters<typeof rankFunctions>[3];

/**
 * Measures how well the files of an issue are found from its text alone, compared with BM25:
 *
 *     npm run bench:locate -- --data FILE --repositories DIR [--alias name=other]… [--out FILE] [--k 20] [--ids FILE]
 *         [--tests yes]       leave tests among the candidates
 *         [--features FILE]   write every candidate's signals, for bench/fit/locate.ts
 *         [--cache DIR]       where read repositories are kept
 *         [--vectors DIR]     embed them with EMBEDDING_MODEL, keep the vectors there, and rank by similarity too
 *
 * `--out` gets a JSON line an instance: instance_id, files, functions, confidence, ms.
 */
const FUNCTIONS = 50;
const options = readOptions(['tests', 'features', 'cache', 'vectors']);
const withTests = options.other.tests !== undefined;
const embedQuery = options.other.vectors === undefined ? null : createQueryEmbedder(options.other.vectors);
const open = (path: string | null | undefined) => (path ? createWriteStream(path) : null);
const answers = open(options.out);
const features = open(options.other.features);

const rivals = Object.entries(RIVALS);
const outcomes: Record<string, Outcome[]> = Object.fromEntries(
  [...rivals.map(([name]) => name), 'Hindsight'].map((name) => [name, []]),
);
const functions: Outcome[] = [];
const times: number[] = [];

for await (const { instance, repo, index } of revisit(options, options.other.cache)) {
  if (instance.gold_files.length === 0) continue;
  const candidates = candidatesOf(index, instance, withTests);
  const embedding = (await embedQuery?.(instance.problem_statement, repo, index)) ?? null;
  const sources = openSourceReader(repo, index);
  const text = removeBoilerplate(
    instance.problem_statement,
    await readTemplateLines(index.code!, sources),
    parseTrace(instance.problem_statement).message,
  );
  const answer = await locate(index, text, candidates, { embedding, lines: sources.lines });
  sources.close();
  times.push(answer.ms);
  const paths = (files: readonly number[]) => files.map((file) => index.code!.filePath(file));
  const group = instance.language;
  for (const [name, setting] of rivals) {
    const ranked = paths(rankByBm25(index.code!, instance.problem_statement, candidates, setting));
    outcomes[name]!.push({ group, places: placesOf(ranked, instance.gold_files) });
  }
  outcomes.Hindsight!.push({ group, places: placesOf(answer.files, instance.gold_files) });
  const right = instance.gold_functions ?? [];
  if (right.length > 0) functions.push({ group, places: placesOf(answer.functions, right) });
  const { files, confidence, ms } = answer;
  write(answers, {
    instance_id: instance.instance_id,
    files: files.slice(0, options.k),
    functions: answer.functions.slice(0, options.k),
    confidence,
    ms,
  });
  if (features)
    write(features, collectFeatures(index, { ...instance, problem_statement: text }, candidates, embedding));
}
answers?.end();
features?.end();

console.log(scoreTable(outcomes));
if (functions.length > 0) console.log(`\nFunctions\n\n${scoreTable({ Hindsight: functions })}`);
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(0);
console.log(`\nA ranking took ${at(0.5)} ms at the median, ${at(0.95)} ms at p95.`);

function write(stream: WriteStream | null, line: object): void {
  stream?.write(`${JSON.stringify(line)}\n`);
}

async function locate(
  index: RepositoryIndex,
  text: string,
  candidates: number[],
  { embedding, lines }: { embedding: QueryEmbedding | null; lines: RankFunctionsOptions['lines'] },
) {
  const start = performance.now();
  const query = parseQuery(text);
  const hints = extractHints(text);
  const ranked = rankFiles(index, query, {
    ...hints,
    candidates: candidates,
    embedding,
    limit: candidates.length,
  });
  const ms = Math.round(performance.now() - start);
  const functions = await rankFunctions(index, query, ranked, {
    frames: hints.frames,
    lines,
    limit: FUNCTIONS,
  });
  return {
    files: ranked.map(({ file }) => index.code!.filePath(file)),
    functions: functions.map(({ file, symbol }) => `${index.code!.filePath(file)}:${symbol}`),
    confidence: ranked[0] ? Number(ranked[0].score.toFixed(3)) : 0,
    ms,
  };
}
