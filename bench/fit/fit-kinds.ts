import type { KindWeights } from '../../src/investigate/kind/error-kind.ts';
import prior from './kinds-prior.json' with { type: 'json' };
import type { MeasuredError } from './measured-errors.ts';
import { solve } from './solve.ts';

/** Sets of `bench/errors`. */
export const ERROR_SETS = [
  ...['open', 'aside', 'aside-2', 'aside-3', 'aside-4', 'aside-5', 'aside-6', 'aside-7', 'aside-8'],
  ...['aside-9', 'aside-10', 'aside-11', 'aside-12', 'aside-13', 'small-open', 'applications-aside'],
];

/** Class of a label: the project is at fault, the environment is, or the project answered as intended. */
const CLASS_OF = { regression: 0, environment: 1, usage: 2, guard: 2 } as const;
const STEPS = 12;

const faultNames = Object.keys(prior.fault) as (keyof typeof prior.fault)[];
const machineNames = Object.keys(prior.environment) as (keyof typeof prior.environment)[];
const start = [
  ...faultNames.map((name) => prior.fault[name]),
  ...machineNames.map((name) => prior.environment[name]),
];

/** A row of the fit: features in the order of the weights, and the number of the right class. */
interface KindCase {
  repository: string;
  set: string;
  fault: number[];
  machine: number[];
  right: number;
}

/** Converts a measured error to a row of the fit; empty for errors that are decided before: foreign, vague, without a place. */
export function toKindCase({ repository, set, label, evidence }: MeasuredError): KindCase[] {
  const isOpen =
    !evidence.isForeign && (!evidence.isUnlocated || evidence.isGuarded || label === 'environment');
  if (!isOpen || label === 'foreign' || label === 'vague') return [];
  const readFeature = (features: Record<string, number>) => (name: string) =>
    name === 'bias' ? 1 : features[name]!;
  return [
    {
      ...{ repository, set },
      fault: faultNames.map(readFeature({ ...evidence.fault })),
      machine: machineNames.map(readFeature({ ...evidence.environment })),
      right: CLASS_OF[label],
    },
  ];
}

/** Minimises the mean logistic loss + ridge · |w - prior|² by Newton's method; convex, and nothing is random. */
export function fitKinds(some: readonly KindCase[], ridge: number): KindWeights {
  const fitted = Float64Array.from(start);
  for (let step = 0; step < STEPS; step++) {
    const slope = fitted.map((weight, i) => 2 * ridge * (weight - start[i]!));
    const curvature = start.map((_, i) => start.map((_, j) => (i === j ? 2 * ridge : 0)));
    for (const one of some) addLoss(one, fitted, { slope, curvature, share: 1 / some.length });
    solve(curvature, slope).forEach((change, i) => {
      fitted[i]! -= change;
    });
  }
  return toWeights(fitted);
}

interface Derivatives {
  slope: Float64Array;
  curvature: number[][];
  /** Share of the case in the mean. */
  share: number;
}

/** Adds the derivatives of the loss of a case; the features of both classes are disjoint parts of one vector. */
function addLoss(one: KindCase, weights: Float64Array, { slope, curvature, share }: Derivatives): void {
  const features = [one.fault, one.machine].map((values, k) =>
    values.flatMap((value, i) => (value === 0 ? [] : [{ at: k * faultNames.length + i, value }])),
  );
  const odds = features.map((own) =>
    Math.exp(own.reduce((sum, { at, value }) => sum + value * weights[at]!, 0)),
  );
  const sum = odds.reduce((all, value) => all + value, 1);
  features.forEach((own, k) => {
    const probability = odds[k]! / sum;
    for (const { at, value } of own) {
      slope[at]! += share * value * (probability - Number(one.right === k));
      features.forEach((other, l) => {
        const spread = share * value * probability * (Number(k === l) - odds[l]! / sum);
        for (const { at: to, value: factor } of other) curvature[at]![to]! += spread * factor;
      });
    }
  });
}

function toWeights(fitted: Float64Array): KindWeights {
  const round = (value: number) => Number(value.toFixed(3));
  return {
    fault: Object.fromEntries(faultNames.map((name, i) => [name, round(fitted[i]!)])),
    environment: Object.fromEntries(
      machineNames.map((name, i) => [name, round(fitted[faultNames.length + i]!)]),
    ),
  } as unknown as KindWeights;
}
