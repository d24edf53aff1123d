import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sigmoid } from '../../src/investigate/locate/softmax.ts';
import { calibrationError, KINDS, minCalibrationError, type Stated, type TextKind } from '../calibration.ts';

/**
 * Fits the probability of the first suspect (`--part cause`) or of an earlier fix (`--part precedent`) on what
 * `bench:confidence --out FILE` wrote, by logistic regression:
 *
 *     node bench/fit/findings.ts --features FILE --part cause [--ridge 0.001] [--weights FILE]
 *
 * Prints what the weights of the other repositories state about each one, the precision at thresholds, and writes the
 * weights fitted on all. A precedent is right when it changed a function that the fix changed.
 */
const PRIORS = {
  cause: { bias: -3, place: 1, share: 1.5, blame: 0.5, certainPlace: 0.5, recency: 0.5 },
  precedent: { bias: -4, message: 0.5, hunk: 0.5, file: 1, inFunction: 0.5, share: 0.5, place: 1 },
} as const;
const TEXT_KIND_WEIGHTS: Record<TextKind, number> = { whole: 1, title: 0.5, vague: 0.25, foreign: 0.25 };
const THRESHOLDS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6];
const MAX_SHOWN = 3;
const STEPS = 6_000;
const RATE = 1;

/** A suspect or precedent with its label. */
interface Row {
  repo: string;
  kind: TextKind;
  /** Text that it was found for. */
  text: string;
  features: Record<string, number>;
  /** True where the answer declines the text as another program's, so that it accuses and shows nothing. */
  declined: boolean;
  right: boolean;
  /** True when it or one of the next two is right. */
  rightInThree: boolean;
}

interface Line {
  id: string;
  repo: string;
  kind: TextKind;
  culpritsKnown: boolean;
  /** See `Row`. */
  declined: boolean;
  accused: number[];
  cause: Record<string, number> | null;
  /** Without the fix, no precedent is known to be right. */
  isFixKnown: boolean;
  precedents: { features: Record<string, number>; right: boolean; inFunction: boolean }[];
}

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { features: text, part: text, ridge: text, weights: text } });
if (!values.features) throw new Error('Give --features FILE: what bench:confidence --out wrote.');
const part = values.part === 'precedent' ? 'precedent' : 'cause';
const prior: Record<string, number> = PRIORS[part];
const names = Object.keys(prior);
const ridge = Number(values.ridge ?? 0.001);
const lines = readFileSync(values.features, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);
const rows = lines.flatMap((line) => (part === 'cause' ? causeRows(line) : precedentRows(line)));

const stated = rows.map(() => 0);
for (const repo of new Set(rows.map((row) => row.repo))) {
  const weights = fit(rows.filter((row) => row.repo !== repo));
  for (const [i, row] of rows.entries()) if (row.repo === repo) stated[i] = probability(row, weights);
}
printTables();
const fitted = fit(rows);
const rounded = Object.fromEntries(names.map((name, i) => [name, Number(fitted[i]!.toFixed(3))]));
console.log(JSON.stringify(rounded));
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(rounded, null, 2)}\n`);

function causeRows({ id, repo, kind, declined, culpritsKnown, accused, cause }: Line): Row[] {
  if (!cause || !culpritsKnown) return [];
  const rightInThree = accused.slice(0, 3).includes(1);
  const text = `${id} ${kind}`;
  return [{ repo, kind, text, declined, features: cause, right: accused[0] === 1, rightInThree }];
}

function precedentRows({ id, repo, kind, declined, isFixKnown, precedents }: Line): Row[] {
  if (!isFixKnown) return [];
  return precedents.map(({ features, right: changesFile, inFunction }) => {
    const right = changesFile && inFunction;
    return { repo, kind, text: `${id} ${kind}`, declined, features, right, rightInThree: right };
  });
}

function printTables(): void {
  console.log('| texts | number | right | stated | calibration error | of probabilities exactly right |');
  console.log('|---|--:|--:|--:|--:|--:|');
  for (const kind of [...KINDS, 'all'] as const) {
    const cases = rows.flatMap((row, i): Stated[] =>
      isCounted(row, kind) ? [{ confidence: stated[i]!, right: row.right }] : [],
    );
    const mean = cases.reduce((sum, { confidence }) => sum + confidence, 0) / (cases.length || 1);
    const right = cases.filter((one) => one.right).length / (cases.length || 1);
    const errors = [calibrationError(cases), minCalibrationError(cases)].map((error) => error.toFixed(3));
    console.log(`| ${[kind, cases.length, percent(right), percent(mean), ...errors].join(' | ')} |`);
  }
  console.log(`\n| shown from | ${KINDS.map((kind) => `${kind}: texts | right | in three`).join(' | ')} |`);
  console.log(`|---|${KINDS.map(() => '--:|--:|--:|').join('')}`);
  for (const threshold of THRESHOLDS)
    console.log(`| ${[threshold, ...KINDS.map((kind) => shownCells(kind, threshold))].join(' | ')} |`);
}

/** Only texts that are not declined show anything. */
function isCounted(row: Row, kind: TextKind | 'all'): boolean {
  return !row.declined && (kind === 'all' || row.kind === kind);
}

function shownCells(kind: TextKind, threshold: number): string {
  const own = rows.map((row, i) => ({ row, value: stated[i]! })).filter(({ row }) => isCounted(row, kind));
  const texts = [...Map.groupBy(own, ({ row }) => row.text).values()];
  const shown = texts.map((group) =>
    group
      .toSorted((a, b) => b.value - a.value)
      .slice(0, MAX_SHOWN)
      .filter(({ value }) => value >= threshold),
  );
  const all = shown.flat();
  const share = (test: (row: Row) => boolean) =>
    all.length === 0 ? '' : percent(all.filter(({ row }) => test(row)).length / all.length);
  const some = shown.filter((group) => group.length > 0).length;
  return `${some} of ${texts.length} | ${share(({ right }) => right)} | ${share(({ rightInThree }) => rightInThree)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function valuesOf({ features }: Row): number[] {
  return names.map((name) => (name === 'bias' ? 1 : features[name]!));
}

function probability(row: Row, weights: Float64Array): number {
  return sigmoid(valuesOf(row).reduce((sum, value, i) => sum + value * weights[i]!, 0));
}

/** Minimises the mean logistic loss + ridge · |w - prior|² by plain descent; convex, and nothing is random. */
function fit(some: Row[]): Float64Array {
  const weights = Float64Array.from(names, (name) => prior[name]!);
  const cases = some.map((row) => ({
    values: Float64Array.from(valuesOf(row)),
    right: Number(row.right),
    share: TEXT_KIND_WEIGHTS[row.kind],
  }));
  const total = cases.reduce((sum, { share }) => sum + share, 0);
  for (let step = 0; step < STEPS; step++) {
    const slope = new Float64Array(weights.length);
    for (const { values, right, share } of cases) {
      let sum = 0;
      for (let i = 0; i < values.length; i++) sum += values[i]! * weights[i]!;
      const gap = (share * (sigmoid(sum) - right)) / total;
      for (let i = 0; i < values.length; i++) slope[i]! += gap * values[i]!;
    }
    for (let i = 0; i < weights.length; i++)
      weights[i]! -= RATE * (slope[i]! + 2 * ridge * (weights[i]! - prior[names[i]!]!));
  }
  return weights;
}
