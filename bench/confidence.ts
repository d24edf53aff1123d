import { createWriteStream } from 'node:fs';
import { confidenceFeatures, weighConfidence } from '../src/investigate/confidence.ts';
import { readError } from '../src/investigate/investigate.ts';
import { openSourceText } from '../src/investigate/source-text.ts';
import { calibrationError, type Stated, shareRight } from './calibration.ts';
import { readOptions } from './options.ts';
import { type Revisited, revisit } from './revisions.ts';

/**
 * Whether the stated probability (a right file among the first three) can be taken at its word:
 *
 *     npm run bench:confidence -- --data FILE… --repositories DIR [--out FILE] [--cache DIR] [--ids FILE]
 *
 * Every instance is asked twice: with its own text, and with that of an instance of another repository, of which
 * nothing can be right. `--out` gets a JSON line each, for bench/fit/confidence.ts.
 */
const options = readOptions(['cache']);
const out = options.out === null ? null : createWriteStream(options.out);
const own: Stated[] = [];
const foreign: Stated[] = [];

for await (const revisited of revisit(options, options.other.cache)) {
  const { instance } = revisited;
  const stranger = strangerTo(instance.repo, own.length);
  own.push(await ask(revisited, instance.problem_statement, false));
  if (stranger !== undefined) foreign.push(await ask(revisited, stranger, true));
}
out?.end();

const stated = foreign.reduce((sum, { confidence }) => sum + confidence, 0) / (foreign.length || 1);
console.log(`| texts | right among three | expected calibration error | right among the surest 80 % |
|---|---|---|---|
| ${own.length} | ${percent(shareRight(own))} | ${calibrationError(own).toFixed(3)} | ${percent(surest(own))} |

Texts about other repositories: stated ${percent(stated)} on average.`);

async function ask({ instance, memory, repo }: Revisited, text: string, isForeign: boolean): Promise<Stated> {
  const sources = openSourceText(repo, memory);
  try {
    const error = await readError({ error_message: text }, { memory }, sources);
    const right =
      !isForeign && error.located.files.slice(0, 3).some(({ path }) => instance.gold_files.includes(path));
    const confidence = weighConfidence(error).value;
    const features = confidenceFeatures(error);
    out?.write(`${JSON.stringify({ repo: instance.repo, foreign: isForeign, right, features })}\n`);
    return { confidence, right };
  } finally {
    sources.close();
  }
}

function strangerTo(repo: string, turn: number): string | undefined {
  const others = options.instances.filter((instance) => instance.repo !== repo);
  return others[(turn * 7919) % (others.length || 1)]?.problem_statement;
}

function surest(cases: Stated[]): number {
  const sorted = [...cases].sort((a, b) => b.confidence - a.confidence);
  return shareRight(sorted.slice(0, Math.ceil(0.8 * sorted.length)));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
