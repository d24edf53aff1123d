import { createWriteStream } from 'node:fs';
import { readTemplateLines } from '../src/investigate/locate/issue-templates.ts';
import { removeBoilerplate } from '../src/investigate/locate/report-boilerplate.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { parseTrace } from '../src/investigate/trace/read-trace.ts';
import { rankFiles } from '../src/search/code/rank-files.ts';
import { measureFunctions, rankFunctions } from '../src/search/code/rank-functions.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { candidatesOf } from './candidates.ts';
import { extractHints } from './features.ts';
import { fixedFunctions } from './fixed-functions.ts';
import { readOptions } from './options.ts';
import { revisit } from './revisions.ts';
import { type Outcome, placesOf, scoreTable } from './scores.ts';

/**
 * Measures how well the functions of a report are found from its text alone, where files are ranked as `bench:locate`
 * ranks them:
 *
 *     node bench/functions.ts --data FILE --repositories DIR [--alias name=other]… [--ids FILE] [--cache DIR]
 *         [--features FILE]   write every candidate's signals, for bench/fit/functions.ts
 *
 * Right are `gold_functions`, or what `fix_commit` changed where the data names only that; of those, what changed no
 * function that was there, or more than ten, is left out.
 */
const MAX_GOLD_FUNCTIONS = 10;
const RANKED = 50;

const options = readOptions(['features', 'cache']);
const features = options.other.features ? createWriteStream(options.other.features) : null;
const outcomes: Outcome[] = [];
const times: number[] = [];
for await (const { instance, repo, index } of revisit(options, options.other.cache)) {
  const right = await fixedFunctions(instance, { repo, index });
  if (!right || right.length === 0 || (!instance.gold_functions && right.length > MAX_GOLD_FUNCTIONS))
    continue;
  const sources = openSourceReader(repo, index);
  const { message } = parseTrace(instance.problem_statement);
  const templates = await readTemplateLines(index.code!, sources);
  const text = removeBoilerplate(instance.problem_statement, templates, message);
  const query = parseQuery(text);
  const hints = extractHints(text);
  const sourceFiles = candidatesOf(index, instance, false);
  const files = rankFiles(index, query, { ...hints, candidates: sourceFiles, limit: sourceFiles.length });
  const input = { frames: hints.frames, lines: sources.lines };
  const start = performance.now();
  const ranked = await rankFunctions(index, query, files, { ...input, limit: RANKED });
  times.push(performance.now() - start);
  const nameOf = ({ file, symbol }: { file: number; symbol: string }) =>
    `${index.code!.filePath(file)}:${symbol}`;
  outcomes.push({ group: instance.language, places: placesOf(ranked.map(nameOf), right) });
  if (features) {
    const { candidates, signals } = await measureFunctions(index, query, files, input);
    const gold = right.map((name) => candidates.findIndex((candidate) => nameOf(candidate) === name));
    const values = new Float32Array(Object.values(signals).flatMap((column) => [...column]));
    const line = {
      instance_id: instance.instance_id,
      repo: instance.repo,
      language: instance.language,
      length: query.text.length,
      signals: Object.keys(signals),
      gold: gold.filter((place) => place >= 0),
      missed: gold.filter((place) => place < 0).length,
      candidates: candidates.length,
      values: Buffer.from(values.buffer).toString('base64'),
    };
    features.write(`${JSON.stringify(line)}\n`);
  }
  sources.close();
}
features?.end();
console.log(scoreTable({ Hindsight: outcomes }));
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(0);
console.log(
  `\nBehind the ranking of files, functions took ${at(0.5)} ms at the median, ${at(0.95)} ms at p95.`,
);
