import type { BacktestCase } from '#contract/backtest.ts';
import { firstLine } from '#contract/first-line.ts';
import { isoTime } from '#contract/iso-time.ts';
import type { Replay } from '#contract/replay.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { investigate } from '../investigate.ts';
import { extractGroundTruth } from './ground-truth.ts';
import type { PastFix } from './select-fixes.ts';

/** Maximum number of entries of each kind in the contract. */
const MAX_LISTED = 100;
const MAX_SHOWN = 10;

interface ReplayDeps {
  repo: string;
  hunks?: ChangeIndex | null;
  index: RepositoryIndex;
  signal?: AbortSignal;
}

/**
 * Investigates the symptom in the message of a past fix on the index of its parent, which contains nothing later. Returns
 * the findings with the ground truth. Throws what reading the repository throws.
 */
async function investigateFix(fix: PastFix, deps: ReplayDeps) {
  if (deps.index.revision !== fix.parent) throw new Error('A fix is replayed on its parent.');
  const truth = await extractGroundTruth(fix, deps);
  const now = new Date(fix.time * 1000).toISOString();
  const found = await investigate({ error_message: fix.message }, { ...deps, sessions: [], now });
  return { truth, now, found };
}

/** Replays a past fix and ranks the ground truth in the findings. */
export async function replayFix(fix: PastFix, deps: ReplayDeps): Promise<BacktestCase> {
  const { truth, now, found } = await investigateFix(fix, deps);
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

/** Replays a past fix and shows the first findings beside the ground truth. */
export async function showReplay(
  fix: PastFix,
  deps: ReplayDeps & { fixedBy: string },
): Promise<Omit<Replay, 'replayable' | 'took_ms'>> {
  const { truth, now, found } = await investigateFix(fix, deps);
  const { commits } = deps.index;
  const places = found.places.slice(0, MAX_SHOWN).map(({ path, start, end, symbol }) => ({
    ...{ path, start_line: start, end_line: end, symbol },
    is_right: truth.files.includes(path),
  }));
  const suspects = found.suspects.slice(0, MAX_SHOWN).map(({ commit }) => ({
    hash: commits.oid(commit),
    message: commits.subject(commit),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
    is_right: truth.causes.includes(commits.oid(commit)),
  }));
  return {
    symptom: fix.message,
    parent: fix.parent,
    fix: { hash: fix.oid, message: firstLine(fix.message), author: deps.fixedBy, timestamp: now },
    ...{ places, suspects },
    place_rank: rankOf(places, ({ is_right }) => is_right),
    cause_rank: rankOf(suspects, ({ is_right }) => is_right),
    expected: { files: truth.files.slice(0, MAX_LISTED), causes: truth.causes.slice(0, MAX_LISTED) },
  };
}

/** Rank of the first right item, from 1; null when there is none. */
function rankOf<T>(list: readonly T[], isRight: (item: T) => boolean): number | null {
  const at = list.findIndex(isRight);
  return at < 0 ? null : at + 1;
}
