import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calibrationError, type Stated, shareRight } from '../calibration.ts';

/**
 * Fits the weights of the stated confidence on what `bench:confidence --out FILE` wrote, by logistic regression:
 *
 *     node bench/fit/confidence.ts --features FILE [--ridge 0.01] [--weights FILE]
 *
 * Prints what the weights of the other repositories state about each one, and writes those fitted on all. Texts about
 * other repositories count a tenth: they say what no evidence looks like, not how often people ask about nothing.
 * Frames and origins are rare in past fixes' messages, so all weights are held near the prior below.
 */
const PRIOR = { bias: -3.5, frame: 2.2, origin: 2, words: 2, weight: 1.5, margin: 0.5, lead: 2 };
const FOREIGN = 0.1;
const STEPS = 4_000;
const RATE = 0.3;

type Name = keyof typeof PRIOR;
const NAMES = Object.keys(PRIOR) as Name[];

interface Line {
  repo: string;
  foreign: boolean;
  right: boolean;
  features: Record<Exclude<Name, 'bias'>, number>;
}

const { values } = parseArgs({
  options: { features: { type: 'string' }, ridge: { type: 'string' }, weights: { type: 'string' } },
});
if (!values.features) throw new Error('Give --features FILE: what bench:confidence --out wrote.');
const ridge = Number(values.ridge ?? 0.01);
const lines = readFileSync(values.features, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

const all: Stated[] = [];
const strangers: Stated[] = [];
console.log('| left out | texts | right among three | calibration error |\n|---|---|---|---|');
for (const repo of new Set(lines.map((line) => line.repo))) {
  const weights = fit(lines.filter((line) => line.repo !== repo));
  const inside = lines.filter((line) => line.repo === repo);
  const stated = inside
    .filter(({ foreign }) => !foreign)
    .map((line) => ({ confidence: stateOf(line, weights), right: line.right }));
  strangers.push(
    ...inside
      .filter(({ foreign }) => foreign)
      .map((line) => ({ confidence: stateOf(line, weights), right: false })),
  );
  all.push(...stated);
  console.log(row(repo, stated));
}
console.log(row('all', all));
const sorted = all.sort((a, b) => b.confidence - a.confidence).slice(0, Math.ceil(0.8 * all.length));
const abstained = (cases: Stated[]) =>
  ((100 * cases.filter(({ confidence }) => confidence < 0.35).length) / (cases.length || 1)).toFixed(0);
console.log(`\nRight among the surest 80 %: ${(shareRight(sorted) * 100).toFixed(1)} %.`);
console.log(
  `Below 0.35: ${abstained(all)} % of the texts, ${abstained(strangers)} % of those about other repositories.`,
);

const fitted = fit(lines);
const rounded = Object.fromEntries(NAMES.map((name, i) => [name, Number(fitted[i]!.toFixed(3))]));
console.log(JSON.stringify(rounded));
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(rounded, null, 2)}\n`);

function row(name: string, stated: Stated[]): string {
  const right = (shareRight(stated) * 100).toFixed(1);
  return `| ${name} | ${stated.length} | ${right} | ${calibrationError(stated).toFixed(3)} |`;
}

function valuesOf({ features }: Line): number[] {
  return NAMES.map((name) => (name === 'bias' ? 1 : features[name]));
}

function stateOf(line: Line, weights: Float64Array): number {
  const sum = valuesOf(line).reduce((total, value, i) => total + value * weights[i]!, 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Minimises the mean logistic loss + ridge · |w - prior|² by plain descent; convex, and nothing is random. */
function fit(some: Line[]): Float64Array {
  const prior = NAMES.map((name) => PRIOR[name]);
  const weights = Float64Array.from(prior);
  const rows = some.map((line) => ({
    values: valuesOf(line),
    right: line.right ? 1 : 0,
    share: line.foreign ? FOREIGN : 1,
  }));
  const total = rows.reduce((sum, { share }) => sum + share, 0);
  for (let step = 0; step < STEPS; step++) {
    const slope = new Float64Array(weights.length);
    for (const { values, right, share } of rows) {
      const sum = values.reduce((all, value, i) => all + value * weights[i]!, 0);
      const gap = (share * (1 / (1 + Math.exp(-sum)) - right)) / total;
      values.forEach((value, i) => {
        slope[i]! += gap * value;
      });
    }
    for (let i = 0; i < weights.length; i++) {
      weights[i]! -= RATE * (slope[i]! + 2 * ridge * (weights[i]! - prior[i]!));
    }
  }
  return weights;
}
