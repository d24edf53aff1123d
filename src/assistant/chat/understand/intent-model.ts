import intentWeights from './intent-weights.json' with { type: 'json' };
import type { Intent } from './reading.ts';

/** Fitted by `bench/fit/intents.ts`. */
interface IntentWeights {
  /** Intents in the order of the rows of `features`. */
  intents: Intent[];
  /** Factor of the weights of cues and mentions. */
  scale: number;
  biases: number[];
  /** Pairs of the number of an intent and a weight, by feature. */
  features: Record<string, [number, number][]>;
}

const { intents, scale, biases, features } = intentWeights as unknown as IntentWeights;

/** Logarithms of the odds of each intent, from the weights of its cues and the words of the question. */
export function weighIntents(
  cueWeights: ReadonlyMap<Intent, number>,
  words: ReadonlyMap<string, number>,
): Map<Intent, number> {
  const sums = intents.map((intent, i) => biases[i]! + scale * (cueWeights.get(intent) ?? 0));
  for (const [word, strength] of words)
    for (const [intent, weight] of features[word] ?? []) sums[intent]! += weight * strength;
  const known = new Map(intents.map((intent, i) => [intent, sums[i]!]));
  return new Map([...cueWeights].map(([intent, weight]) => [intent, known.get(intent) ?? scale * weight]));
}
