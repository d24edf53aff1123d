import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Investigation, investigate } from '../../src/investigate/investigate.ts';
import weights from '../../src/investigate/kind/fault-weights.json' with { type: 'json' };
import { sigmoid } from '../../src/investigate/locate/softmax.ts';
import { closeChangeIndex, openChangeIndex } from '../../src/memory/changes/change-index.ts';
import { type LabelledError, readErrors } from '../error-sets.ts';
import { findRepository } from '../options.ts';
import { openQuestionIndex } from '../question-index.ts';
import prior from './faults-prior.json' with { type: 'json' };

/**
 * Fits the probability that the project is at fault, by logistic regression on the regressions, guards and misuses of
 * `bench/errors`, shrunk towards weights set by hand:
 *
 *     node bench/fit/faults.ts --repositories DIR [--cache DIR] [--ridge 0.05] [--weights FILE]
 *
 * Prints how often each kind of label is right at thresholds, with the weights of the other repositories.
 */
const THRESHOLDS = [0.4, 0.45, 0.5, 0.55, 0.6];
const DAY = 86_400;
const STEPS = 4_000;
const RATE = 1;

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { repositories: text, cache: text, ridge: text, weights: text } });
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');
const ridge = Number(values.ridge ?? 0.05);
const names = Object.keys(weights) as (keyof typeof weights)[];

interface Case {
  repository: string;
  label: LabelledError['kind'];
  features: number[];
  isFault: boolean;
}

const cases: Case[] = [];
for (const error of ['open', 'aside', 'aside-2'].flatMap((set) => readErrors(set))) {
  if (!['usage', 'guard', 'regression'].includes(error.kind)) continue;
  const found = await measure(error, values.repositories);
  // Decided before by other evidence.
  if (found.kind === 'unclear' || found.kind === 'environment') continue;
  const { features } = found.caller;
  cases.push({
    ...{ repository: error.repository, label: error.kind, isFault: error.kind === 'regression' },
    features: names.map((name) => (name === 'bias' ? 1 : features[name])),
  });
}
printLeftOut();
const rounded = Object.fromEntries(names.map((name, i) => [name, Number(fit(cases)[i]!.toFixed(3))]));
console.log(JSON.stringify(rounded));
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(rounded, null, 2)}\n`);

async function measure(error: LabelledError, folder: string): Promise<Investigation> {
  const repo = findRepository(folder, error.repository);
  const place = { name: error.repository, cache: values.cache };
  const { index, hunks } = await openQuestionIndex(repo, error.revision, place);
  const now = new Date(1000 * (index.commits.time(index.commits.find(error.revision)) + DAY)).toISOString();
  try {
    return await investigate(error, { repo, index, hunks: openChangeIndex(hunks), sessions: [], now });
  } finally {
    closeChangeIndex(hunks);
  }
}

function printLeftOut(): void {
  const stated = new Map<Case, number>();
  for (const repository of new Set(cases.map((one) => one.repository))) {
    const fitted = fit(cases.filter((one) => one.repository !== repository));
    for (const one of cases) if (one.repository === repository) stated.set(one, probability(one, fitted));
  }
  const labels = ['usage', 'guard', 'regression'];
  console.log(`| fault from | ${labels.join(' | ')} |\n|---|${labels.map(() => '--:|').join('')}`);
  for (const threshold of THRESHOLDS) {
    const cells = labels.map((label) => {
      const own = cases.filter((one) => one.label === label);
      return `${own.filter((one) => stated.get(one)! >= threshold === one.isFault).length} of ${own.length}`;
    });
    console.log(`| ${[threshold, ...cells].join(' | ')} |`);
  }
}

function probability({ features }: Case, fitted: Float64Array): number {
  return sigmoid(features.reduce((sum, value, i) => sum + value * fitted[i]!, 0));
}

/** Minimises the mean logistic loss + ridge · |w - prior|² by plain descent; convex, and nothing is random. */
function fit(some: Case[]): Float64Array {
  const start = names.map((name) => prior[name]);
  const fitted = Float64Array.from(start);
  for (let step = 0; step < STEPS; step++) {
    const slope = fitted.map((weight, i) => 2 * ridge * (weight - start[i]!));
    for (const one of some) {
      const gap = (probability(one, fitted) - Number(one.isFault)) / some.length;
      one.features.forEach((value, i) => {
        slope[i]! += gap * value;
      });
    }
    for (let i = 0; i < fitted.length; i++) fitted[i]! -= RATE * slope[i]!;
  }
  return fitted;
}
