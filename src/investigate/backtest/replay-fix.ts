import type { BacktestCase } from '#contract/backtest.ts';
import { firstLine } from '#contract/first-line.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { investigate } from '../investigate.ts';
import { extractGroundTruth } from './ground-truth.ts';
import type { PastFix } from './select-fixes.ts';

/** Maximum number of entries of each kind in the contract. */
const MAX_LISTED = 100;

/**
 * Replays a past fix: investigates the symptom in its message on the index of its parent, which contains nothing later,
 * and ranks the ground truth in the findings. Throws what reading the repository throws.
 */
export async function replayFix(
  fix: PastFix,
  deps: { repo: string; hunks?: ChangeIndex | null; index: RepositoryIndex; signal?: AbortSignal },
): Promise<BacktestCase> {
  if (deps.index.revision !== fix.parent) throw new Error('A fix is replayed on its parent.');
  const truth = await extractGroundTruth(fix, deps);
  const now = new Date(fix.time * 1000).toISOString();
  const found = await investigate({ error_message: fix.message }, { ...deps, sessions: [], now });
  const functions = new Set(truth.functions.map(({ path, symbol }) => functionKey(path, symbol)));
  return {
    hash: fix.oid,
    message: firstLine(fix.message),
    timestamp: now,
    files: {
      expected: truth.files.slice(0, MAX_LISTED),
      rank: rankOf(found.places, ({ path }) => truth.files.includes(path)),
    },
    functions: {
      expected: truth.functions.slice(0, MAX_LISTED).map(({ symbol }) => symbol),
      rank: rankOf(
        found.places,
        ({ path, symbol }) => symbol !== null && functions.has(functionKey(path, symbol)),
      ),
    },
    causes: {
      expected: truth.causes.slice(0, MAX_LISTED),
      rank: rankOf(found.suspects, ({ commit }) => truth.causes.includes(deps.index.commits.oid(commit))),
    },
    confidence: found.confidence.value,
  };
}

function functionKey(path: string, symbol: string): string {
  return `${path}\0${symbol}`;
}

/** Rank of the first right item, from 1; null when there is none. */
function rankOf<T>(list: readonly T[], isRight: (item: T) => boolean): number | null {
  const at = list.findIndex(isRight);
  return at < 0 ? null : at + 1;
}
