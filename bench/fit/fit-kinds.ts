import type { KindWeights } from '../../src/investigate/kind/error-kind.ts';
import prior from './kinds-prior.json' with { type: 'json' };
import type { MeasuredError } from './measured-errors.ts';

/** Class of a label: the project is at fault, the environment is, or the project answered as intended. */
const CLASS_OF = { regression: 0, environment: 1, usage: 2, guard: 2 } as const;
const STEPS = 3_000;
const RATE = 0.7;

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

/** Minimises the mean logistic loss + ridge · |w - prior|² by plain descent; convex, and nothing is random. */
export function fitKinds(some: readonly KindCase[], ridge: number): KindWeights {
  const fitted = Float64Array.from(start);
  const own = (one: KindCase) => [one.fault, one.machine];
  for (let step = 0; step < STEPS; step++) {
    const slope = fitted.map((weight, i) => 2 * ridge * (weight - start[i]!));
    for (const one of some) {
      const odds = [0, faultNames.length].map((from, k) =>
        Math.exp(own(one)[k]!.reduce((sum, value, i) => sum + value * fitted[from + i]!, 0)),
      );
      const sum = 1 + odds[0]! + odds[1]!;
      for (const k of [0, 1]) {
        const gap = (odds[k]! / sum - Number(one.right === k)) / some.length;
        const from = k * faultNames.length;
        own(one)[k]!.forEach((value, i) => {
          slope[from + i]! += gap * value;
        });
      }
    }
    for (let i = 0; i < fitted.length; i++) fitted[i]! -= RATE * slope[i]!;
  }
  return toWeights(fitted);
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
