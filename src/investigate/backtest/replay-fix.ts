import type { BacktestCase } from '#contract/backtest.ts';
import { firstLine } from '#contract/first-line.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { investigate } from '../investigate.ts';
import { extractGroundTruth } from './ground-truth.ts';
import type { PastFix } from './select-fixes.ts';

/** As many of each as the contract lists. */
const MAX_LISTED = 100;

/**
 * Asks about a past fault as it was known then: the text is what the fix's message says of it, `memory` is that of the
 * fix's parent, so that the fix and all that came later can't be seen. Tells where the right files, functions
 * and causes stood in the answer. Throws what reading the repository throws.
 */
export async function replayFix(
  fix: PastFix,
  deps: { repo: string; hunks?: ChangeIndex | null; memory: RepositoryIndex; signal?: AbortSignal },
): Promise<BacktestCase> {
  if (deps.memory.revision !== fix.parent) throw new Error('A fix is replayed on its parent.');
  const gold = await extractGroundTruth(fix, deps);
  const now = new Date(fix.time * 1000).toISOString();
  const found = await investigate({ error_message: fix.message }, { ...deps, sessions: [], now });
  const functions = new Set(gold.functions.map(({ path, symbol }) => functionKey(path, symbol)));
  return {
    hash: fix.oid,
    message: firstLine(fix.message),
    timestamp: now,
    files: {
      expected: gold.files.slice(0, MAX_LISTED),
      rank: rankOf(found.places, ({ path }) => gold.files.includes(path)),
    },
    functions: {
      expected: gold.functions.slice(0, MAX_LISTED).map(({ symbol }) => symbol),
      rank: rankOf(
        found.places,
        ({ path, symbol }) => symbol !== null && functions.has(functionKey(path, symbol)),
      ),
    },
    causes: {
      expected: gold.causes.slice(0, MAX_LISTED),
      rank: rankOf(found.suspects, ({ commit }) => gold.causes.includes(deps.memory.commits.oid(commit))),
    },
    confidence: found.confidence.value,
  };
}

function functionKey(path: string, symbol: string): string {
  return `${path}\0${symbol}`;
}

/** Place of the first right one, from 1; null when none is. */
function rankOf<T>(list: readonly T[], isRight: (item: T) => boolean): number | null {
  const at = list.findIndex(isRight);
  return at < 0 ? null : at + 1;
}
