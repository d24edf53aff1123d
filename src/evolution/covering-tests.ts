import { type CoveringTest, MAX_TESTS } from '#contract/change-check.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isReadableCode } from './code-paths.ts';
import { findCoupled } from './coupling.ts';

const TEST_PATH =
  /(?:^|\/)(?:t|tests?|__tests__|specs?|testing)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)s?\.[^/.]+$|Tests?\.[^/.]+$/;
const TEST_AFFIX = /^tests?[_.-]|[_.-](?:tests?|spec)$|Tests?$/gi;
/** Names that say nothing about what a file holds. */
const GENERAL_NAME = /^(?:index|main|init|__init__|mod|lib|app|utils?|helpers?|common|core|base|types)$/i;
/** A test changes with a file in so many commits, and in this share of the file's. */
const MIN_TOGETHER = 2;
const MIN_SHARE = 0.1;
const MAX_COUPLED = 40;

/** True for paths of tests. */
export function isTestFile(path: string): boolean {
  return TEST_PATH.test(path) && isReadableCode(path);
}

/** Finds the tests of files: those named after one of them, then those that change with one. */
export function findCoveringTests(index: RepositoryIndex, paths: readonly string[]): CoveringTest[] {
  const sources = paths.filter((path) => !isTestFile(path));
  const found = new Map<string, CoveringTest>();
  for (const test of findByName(index, sources)) found.set(test.path, test);
  for (const of of sources) {
    const number = index.commits.pathNumber(of);
    if (number < 0) continue;
    const touching = Array.from(index.commits.touching(number));
    const { of: total, coupled } = findCoupled(index, of, touching, MAX_COUPLED);
    for (const { path, together } of coupled) {
      const isRegular = together >= MIN_TOGETHER && together >= MIN_SHARE * total;
      if (isRegular && isTestFile(path) && !found.has(path))
        found.set(path, { path, basis: 'changes_with', of });
    }
  }
  return [...found.values()].slice(0, MAX_TESTS);
}

function findByName({ code }: RepositoryIndex, sources: readonly string[]): CoveringTest[] {
  const byStem = new Map(sources.map((path) => [stemOf(path), path]));
  if (!code || byStem.size === 0) return [];
  const found: CoveringTest[] = [];
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    const of = isTestFile(path) ? byStem.get(stemOf(path)) : undefined;
    if (of !== undefined && !GENERAL_NAME.test(stemOf(path))) found.push({ path, basis: 'name', of });
  }
  return found;
}

/** Name of a file without its ending and the mark of a test: `test_total.py` and `total.spec.ts` are `total`. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  return name.replace(TEST_AFFIX, '').toLowerCase();
}
