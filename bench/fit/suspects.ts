import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fitListwise, type Listing, scoresOf } from './listwise.ts';

/**
 * Fits the weights of signals over commits to what `bench:suspects -- --features FILE` (with `--given fix` too) or
 * `bench:precedents -- --features FILE` wrote, and prints what they reach where they were not fitted: each repository
 * is left out in turn, git/git in halves by time.
 *
 *   node bench/fit/suspects.ts --features FILE… [--l2 0.03] [--drop a,b | --keep a,b] [--candidates 250] [--ablation]
 *     [--part text|fix|precedent] [--out src/investigate/suspects/suspect-weights.json]
 *
 * Weights are drawn to those of `suspects-prior.json`, which were set by hand before any fit; what no case shows, such
 * as frames, which messages of commits lack, stays as it is there.
 */
interface FeatureLine {
  instance_id: string;
  repo: string;
  /** Seconds since 1970 of the base commit. */
  date: number;
  names: string[];
  /** 1 for the commit at fault. */
  labels: number[];
  /** A row for every candidate, the values in the order of `names`. */
  rows: number[][];
}

const { values: options } = parseArgs({
  options: {
    features: { type: 'string', multiple: true },
    l2: { type: 'string', default: '0.03' },
    drop: { type: 'string', default: '' },
    keep: { type: 'string' },
    candidates: { type: 'string', default: '100000' },
    part: { type: 'string', default: 'text' },
    out: { type: 'string' },
    ablation: { type: 'boolean', default: false },
  },
});
if (!options.features) throw new Error('Give --features FILE, which bench:suspects writes.');
const l2 = Number(options.l2);
const part = options.part;
const lines = options.features
  .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as FeatureLine);
const names = lines[0]!.names;
const maxCandidates = Number(options.candidates);
const keptNames = options.keep?.split(',');
const dropped = new Set([
  ...options.drop.split(','),
  ...names.filter((name) => keptNames?.includes(name) === false),
]);

/** This one is two folds, by time: it has three of four cases of culprits. */
const HALVED = 'git/git';
const knownWeights = readPrior();
const prior = Float64Array.from(names, (name) => knownWeights[name] ?? 0);
const STEPS = 300;
const ROUNDS = 3;
const folds = foldsOf(lines);

report('fitted, left out', evaluate(dropped));
if (options.ablation) {
  for (const name of names.filter((one) => !dropped.has(one)))
    report(`without ${name}`, evaluate(new Set([...dropped, name])));
}
if (options.out) writeWeights(options.out);

function foldsOf(all: FeatureLine[]): Map<string, FeatureLine[]> {
  const found = new Map<string, FeatureLine[]>();
  for (const [repo, repoLines] of Map.groupBy(all, (line) => line.repo)) {
    if (repo !== HALVED) found.set(repo, repoLines);
    else {
      const sorted = repoLines.toSorted((a, b) => a.date - b.date);
      const half = Math.ceil(sorted.length / 2);
      found.set(`${repo}, earlier`, sorted.slice(0, half)).set(`${repo}, later`, sorted.slice(half));
    }
  }
  return found;
}

/** Rank of every culprit by weights fitted on the other folds, by repository. */
function evaluate(without: Set<string>): { repo: string; rank: number }[] {
  return Array.from(folds, ([fold, heldOut]) => {
    const rest = Array.from(folds).flatMap(([other, some]) => (other === fold ? [] : some));
    const weights = fit(rest, without);
    return heldOut.map((line) => ({ repo: line.repo, rank: rankOfRight(toListing(line), weights) }));
  }).flat();
}

/**
 * Weights fitted to some cases. Where several commits are right, one of them has to come first, whichever it is: all
 * count in the first round, then only the one that the weights of the round before hold likeliest.
 */
function fit(lines: FeatureLine[], without: Set<string>): Float64Array {
  const listings = lines.map(toListing).filter(({ right }) => right.length > 0);
  const absent = new Set(names.flatMap((name, index) => (without.has(name) ? [index] : [])));
  const options = { width: names.length, ridge: l2, prior, without: absent, steps: STEPS };
  let weights = fitListwise(listings, options);
  if (listings.every(({ right }) => right.length === 1)) return weights;
  for (let round = 0; round < ROUNDS; round++) {
    const topListings = listings.map((listing) => ({ ...listing, right: [topRightRow(listing, weights)] }));
    weights = fitListwise(topListings, { ...options, from: weights });
  }
  return weights;
}

function topRightRow({ rows, count, right }: Listing, weights: Float64Array): number {
  const scores = scoresOf(rows, count, weights);
  return right.reduce((best, one) => (scores[one]! > scores[best]! ? one : best));
}

function toListing({ rows, labels }: FeatureLine): Listing {
  const candidateRows = rows.slice(0, maxCandidates);
  const right = labels.slice(0, maxCandidates).flatMap((label, index) => (label === 1 ? [index] : []));
  return { rows: Float32Array.from(candidateRows.flat()), count: candidateRows.length, right };
}

/** Best rank of a right candidate from 1; infinite when there is none. */
function rankOfRight({ rows, count, right }: Listing, weights: Float64Array): number {
  const scores = scoresOf(rows, count, weights);
  const own = Math.max(...right.map((index) => scores[index]!));
  return right.length > 0 ? 1 + scores.filter((score) => score > own).length : Number.POSITIVE_INFINITY;
}

function report(title: string, ranks: { repo: string; rank: number }[]): void {
  const line = (some: { rank: number }[]) => {
    const hit = (k: number) => ((100 * some.filter(({ rank }) => rank <= k).length) / some.length).toFixed(1);
    const mrr = some.reduce((sum, { rank }) => sum + 1 / rank, 0) / some.length;
    return `${hit(1)} ${hit(3)} ${hit(5)} ${hit(10)} ${mrr.toFixed(3)}`;
  };
  const git = ranks.filter(({ repo }) => repo === HALVED);
  const others = ranks.filter(({ repo }) => repo !== HALVED);
  console.log(`${title.padEnd(24)} all ${line(ranks)} | git/git ${line(git)} | others ${line(others)}`);
}

function readPrior(): Record<string, number> {
  const file = new URL('suspects-prior.json', import.meta.url);
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, number>>;
  return all[part] ?? {};
}

function writeWeights(file: string): void {
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, number>>;
  const weights = fit(lines, dropped);
  const rounded = names.map((name, index): [string, number] => [name, Number(weights[index]!.toFixed(3))]);
  const fitted = { ...knownWeights, ...Object.fromEntries(rounded) };
  all[part] = Object.fromEntries(Object.entries(fitted).filter(([, weight]) => weight !== 0));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
