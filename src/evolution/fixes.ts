import { firstLine } from '#contract/first-line.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Words in subjects of fixes. */
const FIX_WORDS =
  /\b(?:fix(?:e[sd]|ing|up)?|bug(?:s|fix(?:es)?)?|hotfix|regression|crash(?:e[sd]|ing)?|repair(?:s|ed)?|resolve[sd]?|correct(?:s|ed)?|prevent(?:s|ed)?|avoid(?:s|ed)?|broken|leak(?:s|ed)?)\b/i;
const CLOSING_KEYWORD = /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s+(?:[\w./-]+)?#\d+/i;
/** Subjects that use those words for something other than a fault of the code. */
const NOT_A_FIX =
  /^(?:\w+\([^)]*\):\s*)?(?:docs?|chore|style|ci|build|tests?|release|changelog|readme|lint)\b|\btypos?\b|\bspelling\b|\b(?:lint|flaky|docs?|documentation|readme|changelog|comments?|links?)\b.{0,20}\bfix|\bfix(?:e[sd]|ing)?\b.{0,24}\b(?:typos?|spelling|lint|docs?|documentation|readme|changelog|comments?|links?|tests?|ci|build|badges?|whitespace|formatting)\b/i;
const MERGE_SUBJECT = /^Merge (?:pull request|branch|remote-tracking|tag|commit)\b/;
/** Paths of tests, documentation and examples, which cannot cause a fault of the program. */
const NON_SOURCE_PATH =
  /(?:^|\/)(?:t|tests?|testing|__tests__|spec|specs|docs?|Documentation|examples?|benchmarks?|fixtures)\/|(?:^|\/)(?:test_[^/]*|[^/]*[._-](?:test|spec)\.[^/.]+|CHANGELOG[^/]*|HISTORY[^/]*|README[^/]*|AUTHORS[^/]*)$|\.(?:md|rst|txt|adoc)$/i;

const REVERT_TRAILER = /This reverts commit ([0-9a-f]{7,64})/g;

/**
 * True when a commit fixes a fault of the program, by its message and changed paths. Typos, documentation, tests, merges
 * and reverts do not count.
 */
export function isFix(message: string, paths: readonly string[]): boolean {
  return isFixMessage(message) && touchesSource(paths);
}

function isFixMessage(message: string): boolean {
  const subject = firstLine(message);
  if (MERGE_SUBJECT.test(subject) || revertedCommits(message).length > 0) return false;
  if (NOT_A_FIX.test(subject)) return false;
  return FIX_WORDS.test(subject) || CLOSING_KEYWORD.test(message);
}

function touchesSource(paths: readonly string[]): boolean {
  return paths.length === 0 || paths.some((path) => !isNonSource(path));
}

/** True for paths of tests, documentation and examples. */
export function isNonSource(path: string): boolean {
  return NON_SOURCE_PATH.test(path);
}

/** Full or abbreviated hashes of the commits that a message reverts, in the words of `git revert`. */
export function revertedCommits(message: string): string[] {
  return Array.from(message.matchAll(REVERT_TRAILER), (match) => match[1]!);
}

/** `isFix` of an indexed commit, by its number. */
export function isFixCommit(index: RepositoryIndex, commit: number): boolean {
  const { commits } = index;
  // Paths are read only where the message names a fix.
  return (
    isFixMessage(commits.message(commit)) &&
    touchesSource(Array.from(commits.paths(commit), (path) => commits.path(path)))
  );
}
