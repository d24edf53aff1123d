import { posix } from 'node:path';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { wordTerms } from '#memory/tokens.ts';
import { wilsonInterval } from './folder-risk.ts';
import type { HistoryFacts } from './history-facts.ts';
import type { ScopedChanges } from './scoped-changes.ts';

/** Two code files that change in the same commits. */
interface CoupledPair {
  a: string;
  b: string;
  /** Commits that changed both, and each of them. */
  together: number;
  changesA: number;
  changesB: number;
  /** Number of the newest commit that changed both. */
  last: number;
  /** Strongly coupled, in different folders, and neither mentions the other: nothing in the code joins them. */
  surprising: boolean;
}

/** Files of code in a commit that is counted; larger ones sweep over files that have little to do with each other. */
const MAX_COMMIT_FILES = 12;
/** Fewer common commits are chance. */
const MIN_TOGETHER = 3;
/** Smallest degree of coupling of a surprising pair. */
const MIN_SURPRISING_DEGREE = 0.25;
/** Strongest pairs that are checked for references. */
const MAX_CHECKED = 1000;

/**
 * Finds pairs of code files that change together, surprising ones first, then by the lower bound of their degree of coupling:
 * common changes ÷ mean of the changes of both.
 */
export function findCoupledPairs(
  index: RepositoryIndex,
  { paths, isCode }: HistoryFacts,
  scope: ScopedChanges,
  limit: number,
): CoupledPair[] {
  const changes = new Map<number, number>();
  const pairs = new Map<number, { together: number; last: number }>();
  scope.commits.forEach((commit, position) => {
    const files = scope.files(position).filter((file) => isCode[file] === 1);
    if (files.length > MAX_COMMIT_FILES) return;
    for (const file of files) changes.set(file, (changes.get(file) ?? 0) + 1);
    for (const a of files) {
      for (const b of files) {
        if (a >= b) continue;
        const key = a * paths.length + b;
        const pair = pairs.get(key);
        if (!pair) pairs.set(key, { together: 1, last: commit });
        else {
          pair.together++;
          pair.last = commit;
        }
      }
    }
  });
  const found = [...pairs]
    .filter(([, { together }]) => together >= MIN_TOGETHER)
    .map(([key, { together, last }]) => {
      const [a, b] = [Math.floor(key / paths.length), key % paths.length];
      const [changesA, changesB] = [changes.get(a)!, changes.get(b)!];
      const strength = wilsonInterval(together, (changesA + changesB) / 2)!.low;
      return { a: paths[a]!, b: paths[b]!, together, changesA, changesB, last, strength };
    })
    .filter(({ a, b }) => !isSameModule(a, b))
    .sort((a, b) => b.strength - a.strength || b.together - a.together)
    .slice(0, MAX_CHECKED)
    .map(({ strength, ...pair }) => ({
      ...pair,
      surprising: degreeOf(pair) >= MIN_SURPRISING_DEGREE && isSurprising(pair, index.code),
    }));
  return [
    ...found.filter(({ surprising }) => surprising),
    ...found.filter(({ surprising }) => !surprising),
  ].slice(0, limit);
}

/** True for the declaration and the implementation of a module: `advice.h` and `advice.c`. */
function isSameModule(a: string, b: string): boolean {
  const [one, other] = [posix.parse(a), posix.parse(b)];
  return one.dir === other.dir && one.name === other.name;
}

/** Common changes ÷ mean of the changes of both. */
const degreeOf = ({ together, changesA, changesB }: Omit<CoupledPair, 'surprising'>) =>
  (2 * together) / (changesA + changesB);

function isSurprising({ a, b }: { a: string; b: string }, code: CodeTable | null): boolean {
  if (posix.dirname(a) === posix.dirname(b) || moduleTerms(a).join() === moduleTerms(b).join()) return false;
  return code === null || !(mentions(code, a, b) || mentions(code, b, a));
}

/** True when the text of a file may name the other one's module: it has all words of that name. */
function mentions(code: CodeTable, path: string, other: string): boolean {
  const file = code.fileNumber(path);
  return file >= 0 && moduleTerms(other).every((term) => filesWithTerm(code).get(term).has(file));
}

/** Base names that say nothing: the folder names the module. */
const GENERIC_NAMES = new Set(['index', 'main', 'mod', 'lib', '__init__', 'init', 'types', 'utils']);

/** Terms of a module's name: `src/session-store.ts` → session stor. */
function moduleTerms(path: string): string[] {
  const { name, dir } = posix.parse(path);
  const module = GENERIC_NAMES.has(name) && dir !== '' ? posix.basename(dir) : name;
  const terms = wordTerms(module.replace(/[^\p{L}\p{N}_]+/gu, '_'));
  return terms.length > 1 ? terms.slice(1) : terms;
}

/** Files by term, each read once. */
const filesWithTerm = memoizeByIdentity((code: CodeTable) => {
  const known = new Map<string, Set<number>>();
  return {
    get(term: string): Set<number> {
      const files = known.get(term) ?? new Set(code.files.postings(term)?.docs ?? []);
      known.set(term, files);
      return files;
    },
  };
});
