import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { SignalName, SignalValues } from '../../src/search/signals/measure-signals.ts';
import type { FeatureLine } from '../features.ts';
import { type Outcome, score, scoreTable } from '../scores.ts';
import { fitListwise, type Listing, scoresOf } from './listwise.ts';

/**
 * Fits the weights of file ranking on the signals that `bench:locate --features FILE` wrote:
 *
 *     node bench/fit/locate.ts --features FILE… [--test FILE…] [--weights FILE] [--ablate yes] [--ridge 0.01]
 *
 * Prints figures with each repository left out of the fit that it is measured by, and, with `--test`, of other
 * instances by all. `--weights` writes `src/search/code/file-weights.json`.
 */
const { values } = parseArgs({
  options: {
    features: { type: 'string', multiple: true },
    test: { type: 'string', multiple: true },
    weights: { type: 'string' },
    ablate: { type: 'string' },
    ridge: { type: 'string', default: '0.01' },
    prior: {
      type: 'string',
      default: new URL('../../src/search/signals/prior-file-weights.json', import.meta.url).pathname,
    },
  },
});

/** Candidates of a listing that are learned from: the best by the prior, and the right ones. */
const LEARNED = 150;
const STEPS = 100;
/** Characters from which a text counts as a long report. */
const LONG_TEXT = 300;

interface Case {
  line: FeatureLine;
  rows: Float32Array;
  learned: Listing;
}

const prior = JSON.parse(readFileSync(values.prior, 'utf8')) as Record<SignalName, number>;
const ridge = Number(values.ridge);
const names = Object.keys(prior) as SignalName[];
const start = Float64Array.from(names, (name) => prior[name]!);

const cases = await readCases(values.features ?? []);
console.log(`${cases.length} instances, ${names.length} features, ridge ${ridge}\n`);
const all = learn(cases, start);
const left = leaveOneOut();
console.log(
  `Each repository left out of the fit it is measured by\n\n${scoreTable({ prior: outcomesOf(cases, start), fitted: left })}\n`,
);
const order = [...Map.groupBy(cases, ({ line }) => line.repo).values()].flat();
const longOnes = order.map(({ line }) => isLong(line));
const ofLong = (outcomes: Outcome[]) => outcomes.filter((_, i) => longOnes[i]);
console.log(
  `Of these the long texts\n\n${scoreTable({ prior: ofLong(outcomesOf(order, start)), fitted: ofLong(left) })}`,
);
if (values.test) {
  const test = await readCases(values.test);
  console.log(
    `\nOther instances\n\n${scoreTable({ prior: outcomesOf(test, start), fitted: outcomesOf(test, all) })}`,
  );
}
if (values.ablate) ablate();
if (values.weights) {
  const keptSignals = names
    .map((name, i) => [name, Number(all[i]!.toFixed(3))] as const)
    .filter(([, weight]) => weight !== 0);
  writeFileSync(values.weights, `${JSON.stringify(Object.fromEntries(keptSignals), null, 2)}\n`);
}

async function readCases(files: string[]): Promise<Case[]> {
  const found: Case[] = [];
  for (const file of files) {
    for await (const text of createInterface({ input: createReadStream(file) })) {
      const line = JSON.parse(text) as FeatureLine;
      found.push(caseOf(line));
    }
  }
  return found;
}

function caseOf(line: FeatureLine): Case {
  const { candidates: count, signals } = line;
  const bytes = Buffer.from(line.values, 'base64');
  const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const measured = Object.fromEntries(
    signals.map((name, row) => [name, floats.subarray(row * count, (row + 1) * count)]),
  ) as SignalValues;
  const candidates = Array.from({ length: count }, (_, file) => file);
  const rows = new Float32Array(count * names.length);
  names.forEach((name, column) => {
    const signal = measured[name];
    for (let file = 0; file < count; file++) rows[file * names.length + column] = signal[file]!;
  });
  const scores = scoresOf(rows, count, start);
  const best = candidates.toSorted((a, b) => scores[b]! - scores[a]!).slice(0, LEARNED);
  const chosen = [...new Set([...line.gold, ...best])];
  const width = names.length;
  const learned = new Float32Array(chosen.length * width);
  chosen.forEach(
    (file, row) => void learned.set(rows.subarray(file * width, (file + 1) * width), row * width),
  );
  line.values = '';
  return {
    line,
    rows,
    learned: { rows: learned, count: chosen.length, right: line.gold.map((_, row) => row) },
  };
}

function learn(cases: readonly Case[], from: Float64Array, without?: ReadonlySet<number>): Float64Array {
  const listings = cases.map(({ learned }) => learned).filter(({ right }) => right.length > 0);
  return fitListwise(listings, { width: names.length, ridge, prior: start, from, steps: STEPS, without });
}

function leaveOneOut(without?: ReadonlySet<number>): Outcome[] {
  return [...Map.groupBy(cases, ({ line }) => line.repo)].flatMap(([repo, own]) => {
    const others = cases.filter(({ line }) => line.repo !== repo);
    return outcomesOf(own, learn(others, all, without));
  });
}

function outcomesOf(cases: readonly Case[], weights: Float64Array): Outcome[] {
  return cases.map(({ line, rows }) => {
    const scores = scoresOf(rows, line.candidates, weights);
    const places = line.gold.map((file) => scores.filter((score) => score > scores[file]!).length + 1);
    return {
      group: line.language,
      places: [...places, ...Array(line.missed).fill(Number.POSITIVE_INFINITY)],
    };
  });
}

function isLong(line: FeatureLine): boolean {
  return line.length >= LONG_TEXT;
}

/** Ablation: change of the figures without each signal, in points. */
function ablate(): void {
  console.log(`\n| without | @1 | @5 | MRR | long texts @1 | @5 | MRR |\n|---|---|---|---|---|---|---|`);
  for (const [index, signal] of names.entries()) {
    const without = new Set([index]);
    const outcomes = leaveOneOut(without);
    const cells = [(o: Outcome[]) => score(o), (o: Outcome[]) => score(ofLong(o))].flatMap((of) => {
      const [now, before] = [of(outcomes), of(left)];
      return [now.at[1] - before.at[1], now.at[5] - before.at[5], now.mrr - before.mrr].map((d) =>
        (d * 100).toFixed(1),
      );
    });
    console.log(`| ${signal} | ${cells.join(' | ')} |`);
  }
}
