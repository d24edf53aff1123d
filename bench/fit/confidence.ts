import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sigmoid } from '../../src/investigate/locate/softmax.ts';
import {
  calibrationError,
  KINDS,
  minCalibrationError,
  type Stated,
  shareRight,
  type TextKind,
} from '../calibration.ts';

/**
 * Fits the weights of the stated confidence on what `bench:confidence --out FILE` wrote, by logistic regression:
 *
 *     node bench/fit/confidence.ts --features FILE [--ridge 0.01] [--weights FILE]
 *
 * Prints what the weights of the other repositories state about each one, for all texts and for those whose place is shown,
 * and writes the weights fitted on all. Complaints and texts about other repositories count less: they say what no evidence
 * looks like, not how often people ask so. Frames and origins are rare in past fixes' messages, so all weights are held near
 * the prior below.
 */
const PRIOR = {
  bias: -2.6,
  frame: 3,
  origin: 5,
  margin: 0.5,
  topKProbability: 1.5,
  identifierMass: 3,
  outOfVocabularyShare: -1.5,
};
/** Weight of a text of each kind. */
const TEXT_KIND_WEIGHTS: Record<TextKind, number> = { whole: 1, title: 0.5, vague: 0.25, foreign: 0.25 };
/** Weight of a declined text, which states no place, besides that of its kind. */
const DECLINED_WEIGHT = 0.2;
const ABSTAIN_BELOW = 0.45;
const MAX_CONFIDENCE = 0.97;
const STEPS = 4_000;
const RATE = 0.3;

type Name = keyof typeof PRIOR;
const NAMES = Object.keys(PRIOR) as Name[];

interface Line {
  repo: string;
  kind: TextKind;
  right: boolean;
  /** True where the answer declines the text as another program's, so that it states no place. */
  declined: boolean;
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

const casesByKind: Record<TextKind, (Stated & { declined: boolean })[]> = {
  ...{ whole: [], title: [] },
  ...{ vague: [], foreign: [] },
};
console.log(
  '| left out | texts | right among three | calibration error | of probabilities exactly right |\n|---|---|---|---|---|',
);
for (const repo of new Set(lines.map((line) => line.repo))) {
  const weights = fit(lines.filter((line) => line.repo !== repo));
  const inside = lines.filter((line) => line.repo === repo);
  const stated = (kind: TextKind) =>
    inside
      .filter((line) => line.kind === kind)
      .map((line) => ({
        ...{ confidence: Math.min(MAX_CONFIDENCE, stateOf(line, weights)), right: line.right },
        declined: line.declined,
      }));
  for (const kind of KINDS) casesByKind[kind].push(...stated(kind));
  console.log(row(repo, stated('whole')));
}
for (const kind of KINDS) console.log(row(`all, ${kind}`, casesByKind[kind]));
const isShown = ({ confidence, declined }: Stated & { declined: boolean }) =>
  !declined && confidence >= ABSTAIN_BELOW;
for (const kind of KINDS) console.log(row(`shown, ${kind}`, casesByKind[kind].filter(isShown)));
console.log(row('shown, all', Object.values(casesByKind).flat().filter(isShown)));
const all = casesByKind.whole;
const sorted = all.sort((a, b) => b.confidence - a.confidence).slice(0, Math.ceil(0.8 * all.length));
console.log(`\nRight among the surest 80 %: ${(shareRight(sorted) * 100).toFixed(1)} %.`);
const percentAbstained = (cases: Stated[]) =>
  ((100 * cases.filter(({ confidence }) => confidence < ABSTAIN_BELOW).length) / (cases.length || 1)).toFixed(
    0,
  );
console.log(
  `Below ${ABSTAIN_BELOW}: ${KINDS.map((kind) => `${kind} ${percentAbstained(casesByKind[kind])} %`).join(', ')}.`,
);

const fitted = fit(lines);
const rounded = Object.fromEntries(NAMES.map((name, i) => [name, Number(fitted[i]!.toFixed(3))]));
console.log(JSON.stringify(rounded));
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(rounded, null, 2)}\n`);

function row(name: string, stated: Stated[]): string {
  const right = (shareRight(stated) * 100).toFixed(1);
  const [error, lowest] = [calibrationError(stated), minCalibrationError(stated)];
  return `| ${name} | ${stated.length} | ${right} | ${error.toFixed(3)} | ${lowest.toFixed(3)} |`;
}

function valuesOf({ features }: Line): number[] {
  return NAMES.map((name) => (name === 'bias' ? 1 : features[name]));
}

function stateOf(line: Line, weights: Float64Array): number {
  const sum = valuesOf(line).reduce((total, value, i) => total + value * weights[i]!, 0);
  return sigmoid(sum);
}

/** Minimises the mean logistic loss + ridge · |w - prior|² by plain descent; convex, and nothing is random. */
function fit(lines: Line[]): Float64Array {
  const prior = NAMES.map((name) => PRIOR[name]);
  const weights = Float64Array.from(prior);
  const rows = lines.map((line) => ({
    values: valuesOf(line),
    right: line.right ? 1 : 0,
    share: TEXT_KIND_WEIGHTS[line.kind] * (line.declined ? DECLINED_WEIGHT : 1),
  }));
  const total = rows.reduce((sum, { share }) => sum + share, 0);
  for (let step = 0; step < STEPS; step++) {
    const slope = new Float64Array(weights.length);
    for (const { values, right, share } of rows) {
      const sum = values.reduce((all, value, i) => all + value * weights[i]!, 0);
      const gap = (share * (sigmoid(sum) - right)) / total;
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
