import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Outcome, score, scoreTable } from '../scores.ts';
import { fitListwise, type Listing, scoresOf } from './listwise.ts';

/**
 * Fits the weights of function ranking on the signals that `bench/functions.ts --features FILE` wrote:
 *
 *     node bench/fit/functions.ts --features FILE… [--weights src/search/code/function-weights.json] [--ablate yes]
 *
 * Prints figures with each repository left out of the fit that it is measured by.
 */
const { values } = parseArgs({
  options: {
    features: { type: 'string', multiple: true },
    weights: { type: 'string' },
    ablate: { type: 'string' },
    ridge: { type: 'string', default: '0.005' },
  },
});

/** Prior weights; few of the texts have a trace, so `frames` stays near its prior. */
const PRIOR: Record<string, number> = { fileOdds: 2, passageScore: 5, lineCount: 2, frames: 1 };
/** Candidates of a listing that are learned from: the best by the prior, and the right ones. */
const MAX_CANDIDATES = 120;
const STEPS = 120;

interface Case {
  repo: string;
  group: string;
  missed: number;
  gold: number[];
  rows: Float32Array;
  count: number;
  learned: Listing;
}

interface Line {
  repo: string;
  language: string;
  signals: string[];
  gold: number[];
  missed: number;
  candidates: number;
  values: string;
}

const lines = (values.features ?? [])
  .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as Line);
const names = lines.find(({ candidates }) => candidates > 0)?.signals ?? [];
const prior = Float64Array.from(names, (name) => PRIOR[name] ?? 0);
const cases = lines.map(caseOf);
const left = leaveOneOut();
console.log(`${cases.length} instances, ${names.length} signals\n`);
console.log(scoreTable({ prior: outcomesOf(cases, prior), fitted: left }));
if (values.ablate) ablate();
if (values.weights) {
  const all = learn(cases);
  const roundedWeights = names.map((name, i) => [name, Number(all[i]!.toFixed(3))] as const);
  writeFileSync(values.weights, `${JSON.stringify(Object.fromEntries(roundedWeights), null, 2)}\n`);
}

function caseOf({ repo, language, signals, gold, missed, candidates: count, values: packed }: Line): Case {
  const bytes = Buffer.from(packed, 'base64');
  const columns = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const width = signals.length;
  const rows = columns.map((_, at) => columns[(at % width) * count + Math.floor(at / width)]!);
  const scores = scoresOf(rows, count, prior);
  const best = Array.from(scores.keys())
    .sort((a, b) => scores[b]! - scores[a]!)
    .slice(0, MAX_CANDIDATES);
  const chosen = [...new Set([...gold, ...best])];
  const learned = new Float32Array(chosen.length * width);
  chosen.forEach((from, to) => {
    learned.set(rows.subarray(from * width, (from + 1) * width), to * width);
  });
  const right = gold.map((_, row) => row);
  return {
    repo,
    group: language,
    missed,
    gold,
    rows,
    count,
    learned: { rows: learned, count: chosen.length, right },
  };
}

function learn(cases: readonly Case[], without?: ReadonlySet<number>): Float64Array {
  const listings = cases.map(({ learned }) => learned).filter(({ right }) => right.length > 0);
  return fitListwise(listings, {
    width: names.length,
    ridge: Number(values.ridge),
    prior,
    steps: STEPS,
    without,
  });
}

function leaveOneOut(without?: ReadonlySet<number>): Outcome[] {
  return [...Map.groupBy(cases, ({ repo }) => repo)].flatMap(([repo, own]) => {
    const others = cases.filter((one) => one.repo !== repo);
    return outcomesOf(own, learn(others, without));
  });
}

function outcomesOf(cases: readonly Case[], weights: Float64Array): Outcome[] {
  return cases.map(({ group, gold, missed, rows, count }) => {
    const scores = scoresOf(rows, count, weights);
    const places = gold.map((right) => scores.filter((other) => other > scores[right]!).length + 1);
    return { group, places: [...places, ...Array<number>(missed).fill(Number.POSITIVE_INFINITY)] };
  });
}

/** Ablation: the figures without each signal. */
function ablate(): void {
  console.log('\n| without | @1 | @5 | @10 | MRR |\n|---|---|---|---|---|');
  for (const [index, name] of names.entries()) {
    const { at, mrr } = score(leaveOneOut(new Set([index])));
    const cells = [at[1], at[5], at[10]].map((share) => (share * 100).toFixed(1));
    console.log(`| ${name} | ${cells.join(' | ')} | ${mrr.toFixed(3)} |`);
  }
}
