import type { FunctionCandidate, FunctionSignals } from './function-candidate.ts';

/**
 * Computes signals of the calls between candidates: the relevance of the best caller, and that of all that a function calls.
 * Calls are matched by name, so each counts less the more candidates have it.
 */
export function computeCallSignals(
  candidates: readonly Pick<FunctionCandidate, 'name' | 'body'>[],
  relevance: ArrayLike<number>,
): FunctionSignals {
  const named = Map.groupBy(candidates.keys(), (i) => candidates[i]!.name);
  const bestCaller = new Float64Array(candidates.length);
  const callees = new Float64Array(candidates.length);
  for (const [caller, { body }] of candidates.entries()) {
    for (const name of body.calls) {
      const called = named.get(name) ?? [];
      for (const i of called) {
        if (i === caller) continue;
        const score = relevance[caller]! / Math.sqrt(called.length);
        bestCaller[i] = Math.max(bestCaller[i]!, score);
        callees[caller]! += relevance[i]! / called.length;
      }
    }
  }
  return { bestCaller, callees: callees.map(Math.log1p) };
}
