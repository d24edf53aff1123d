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

/** A change of more files says little of where its fault was. */
const MAX_FILES = 10;
/** A message of fewer terms describes nothing. */
const MIN_TERMS = 3;
/** With a seed, fixes are drawn from so many times as many. */
const SAMPLING_FACTOR = 10;

/**
 * The last `count` fixes that `head`, a full hash, reaches, newest first; with a seed, `count` of the last ten times as
 * many, drawn by a generator that gives the same for the same seed. Only fixes of one parent that changed an existing
 * file of the program. Throws `not_found` when the history lacks `head`.
 */
export function selectFixes(
  history: CommitTable,
  { head, count, seed }: { head: string; count: number; seed: number | null },
): PastFix[] {
  const commits = snapshotCommits(history, head);
  const wanted = seed === null ? count : count * SAMPLING_FACTOR;
  const found: PastFix[] = [];
  for (let commit = 0; commit < commits.count && found.length < wanted; commit++) {
    const fix = toPastFix(commits, commit);
    if (fix) found.push(fix);
  }
  return seed === null ? found : sampleFixes(found, count, seed);
}

/** Settings and lists of dependencies: a new version of a library is called a fix, but mends no fault of this code. */
const CONFIGURATION_PATH =
  /\.(?:ya?ml|json|toml|ini|cfg|conf|lock|properties)$|(?:^|\/)(?:\.[^/]*|Pipfile|Makefile|Gemfile|setup\.py|go\.(?:mod|sum)|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** Whether a path holds the program itself. */
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

/** Lines that people and tools add below a message: they name people, other commits and tickets, not the fault. */
const TRAILER = /^(?:[A-Z][A-Za-z-]+: |\(cherry picked from|This reverts|#\d+)/;
/** Hashes would lead straight to the commit at fault. */
const COMMIT_HASH = /\b[0-9a-f]{7,64}\b/g;

/** What a message says of the fault, without trailers and hashes. */
export function symptomText(message: string): string {
  const lines = message.split('\n').filter((line, index) => index === 0 || !TRAILER.test(line));
  return lines.join('\n').replace(COMMIT_HASH, '').trim();
}

/** Shuffles by a generator of 32 bits (mulberry32) and keeps the first; then newest first again. */
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
