import { createWriteStream } from 'node:fs';
import { firstLine } from '../src/contract/first-line.ts';
import { confidenceFeatures, estimateConfidence } from '../src/investigate/confidence.ts';
import { analyzeError } from '../src/investigate/investigate.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { calibrationError, KINDS, type Stated, shareRight, type TextKind } from './calibration.ts';
import { readOptions } from './options.ts';
import { type Revisited, revisit } from './revisions.ts';

/**
 * Whether the stated probability (a right file among the first three) can be taken at its word:
 *
 *     npm run bench:confidence -- --data FILE… --repositories DIR [--out FILE] [--cache DIR] [--ids FILE]
 *
 * Every instance is asked four times: with its own text, with the first line alone, with a complaint
 * that says nothing, and with the text of another repository's instance, of which nothing can be
 * right. `--out` gets a JSON line each, for bench/fit/confidence.ts.
 */
const options = readOptions(['cache']);
const out = options.out === null ? null : createWriteStream(options.out);
/** Vague reports without details. */
const VAGUE_REPORTS = [
  'it does not work',
  'it is slow sometimes',
  'I get an error, please help',
  'this crashes for some users',
  'broken since the last update',
  'the result is wrong',
  'nothing happens when I click',
  'fails in production but not on my machine',
];
const casesByKind: Record<TextKind, Stated[]> = { whole: [], title: [], vague: [], foreign: [] };

for await (const revisited of revisit(options, options.other.cache)) {
  const { instance } = revisited;
  const text = instance.problem_statement;
  const texts: Record<TextKind, string | undefined> = {
    whole: text,
    title: firstLine(text.trim()),
    vague: VAGUE_REPORTS[casesByKind.vague.length % VAGUE_REPORTS.length],
    foreign: foreignErrorTo(instance.repo, casesByKind.whole.length),
  };
  for (const kind of KINDS) if (texts[kind]) casesByKind[kind].push(await ask(revisited, texts[kind], kind));
}
out?.end();

console.log(`| asked with | texts | right among three | stated on average | expected calibration error | right among the surest 80 % |
|---|---|---|---|---|---|`);
for (const kind of KINDS) {
  const cases = casesByKind[kind];
  const mean = cases.reduce((sum, { confidence }) => sum + confidence, 0) / (cases.length || 1);
  console.log(
    `| ${kind} | ${cases.length} | ${percent(shareRight(cases))} | ${percent(mean)} | ${calibrationError(cases).toFixed(3)} | ${percent(shareRightOfMostConfident(cases))} |`,
  );
}

async function ask({ instance, index, repo }: Revisited, text: string, kind: TextKind): Promise<Stated> {
  const sources = openSourceReader(repo, index);
  try {
    const error = await analyzeError({ error_message: text }, { index }, sources);
    const right =
      kind !== 'foreign' &&
      error.located.files.slice(0, 3).some(({ path }) => instance.gold_files.includes(path));
    const confidence = estimateConfidence(error).value;
    const features = confidenceFeatures(error);
    out?.write(`${JSON.stringify({ repo: instance.repo, kind, right, features })}\n`);
    return { confidence, right };
  } finally {
    sources.close();
  }
}

function foreignErrorTo(repo: string, turn: number): string | undefined {
  const others = options.instances.filter((instance) => instance.repo !== repo);
  return others[(turn * 7919) % (others.length || 1)]?.problem_statement;
}

function shareRightOfMostConfident(cases: Stated[]): number {
  const sorted = [...cases].sort((a, b) => b.confidence - a.confidence);
  return shareRight(sorted.slice(0, Math.ceil(0.8 * sorted.length)));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
