import { isFix, isNonSource } from '#evolution/fixes.ts';
import { snapshotCommits } from '#memory/index/snapshot.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';

/** A past fix that can be replayed. */
export interface PastFix {
  oid: string;
  parent: string;
  message: string;
  /** Author time in seconds since 1970. */
  time: number;
}

/** Fixes of more files do not locate their fault. */
const MAX_FILES = 10;
/** Shorter messages describe no symptom. */
const MIN_TERMS = 3;
/** With a seed, fixes are sampled from this many times their number. */
const SAMPLING_FACTOR = 10;

/**
 * Selects the last `count` fixes reachable from `head`, newest first, or with a seed a deterministic sample of ten times
 * as many. Only non-merge fixes of existing source files count. Throws `not_found` when the history lacks `head`.
 */
export function selectFixes(
  history: CommitTable,
  { head, count, seed }: { head: string; count: number; seed: number | null },
): PastFix[] {
  const sampleSize = seed === null ? count : count * SAMPLING_FACTOR;
  const found = newestFixes(snapshotCommits(history, head), sampleSize);
  return seed === null ? found : sampleFixes(found, count, seed);
}

/** The newest fixes of a whole history that can be replayed. */
export function newestFixes(commits: CommitTable, count: number): PastFix[] {
  const found: PastFix[] = [];
  for (let commit = 0; commit < commits.count && found.length < count; commit++) {
    const fix = toPastFix(commits, commit);
    if (fix) found.push(fix);
  }
  return found;
}

/** Settings and manifests: upgrading a library may be called a fix, but fixes no fault of this code. */
const CONFIGURATION_PATH =
  /\.(?:ya?ml|json|toml|ini|cfg|conf|lock|properties)$|(?:^|\/)(?:\.[^/]*|Pipfile|Makefile|Gemfile|setup\.py|go\.(?:mod|sum)|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** True for paths of source code, excluding settings. */
export function isSource(path: string): boolean {
  return !isNonSource(path) && !CONFIGURATION_PATH.test(path);
}

function toPastFix(commits: CommitTable, commit: number): PastFix | null {
  const [parent, ...others] = commits.parents(commit);
  if (parent === undefined || others.length > 0) return null;
  const paths = commits.paths(commit);
  if (paths.length === 0 || paths.length > MAX_FILES) return null;
  const names = Array.from(paths, (path) => commits.path(path));
  if (!isFix(commits.message(commit), names)) return null;
  const statuses = commits.statuses(commit);
  const changesCode = names.some((path, index) => statuses[index] !== 'A' && isSource(path));
  const message = symptomText(commits.message(commit));
  const time = commits.time(commit);
  if (!changesCode || Number.isNaN(time) || terms(message).length < MIN_TERMS) return null;
  return { oid: commits.oid(commit), parent: commits.oid(parent), message, time };
}

/** Trailers, which name people, commits and tickets rather than the symptom. */
const TRAILER = /^(?:[A-Z][A-Za-z-]+: |\(cherry picked from|This reverts|#\d+)/;
/** Removed, since hashes would lead straight to the cause. */
const COMMIT_HASH = /\b[0-9a-f]{7,64}\b/g;

/** The description of the fault in a message, without trailers and hashes. */
export function symptomText(message: string): string {
  const lines = message.split('\n').filter((line, index) => index === 0 || !TRAILER.test(line));
  return lines.join('\n').replace(COMMIT_HASH, '').trim();
}

/** Samples by a shuffle with a seeded 32-bit generator (mulberry32), ordered newest first. */
function sampleFixes(fixes: PastFix[], count: number, seed: number): PastFix[] {
  const order = fixes.map((_, index) => index);
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((index) => fixes[index]!);
}
