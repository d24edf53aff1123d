import { type CoveringTest, MAX_TESTS } from '#contract/change-check.ts';
import { AppError } from '#contract/errors.ts';
import { type Impact, MAX_CHANGES_WITH, MAX_IMPACT_PATHS, MAX_REGRESSIONS } from '#contract/impact.ts';
import { isoTime } from '#contract/iso-time.ts';
import type { FileDiff } from '#contract/projects.ts';
import { findCoupled } from '#evolution/coupling.ts';
import { findCoveringTests, isTestFile } from '#evolution/covering-tests.ts';
import { isFixCommit, revertedCommits } from '#evolution/fixes.ts';
import { BULK_COMMIT_FILES } from '#evolution/hotspots.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { findCallers, limitCallers } from './find-callers.ts';
import { findDefinitions } from './find-definitions.ts';
import type { ToolContext } from './tool.ts';

/** Subject of a change: a definition, a file, or the diff of a branch without context lines. */
export type ImpactSubject =
  | { kind: 'symbol' | 'path'; name: string }
  | { kind: 'branch'; name: string; files: readonly FileDiff[] };

/** Definitions whose callers are searched. */
const MAX_SYMBOLS = 8;
/** Shorter names are those of variables. */
const MIN_NAME_LENGTH = 3;
const MIN_TOGETHER = 3;
const MIN_SHARE = 0.2;
const MAX_COMMITS = 300;
const REGRESSION =
  /\bregress(?:ion|ed)\b|\bbroke(?:n by)?\b|\bre-?(?:fix|introduce)|\b(?:fix\w*|crash\w*|fail\w*)\b.*\bagain\b/i;

/** Finds callers, tests, files that change as well and past regressions. Throws `not_found` for an unknown symbol or path. */
export async function findImpact(
  subject: ImpactSubject,
  context: Pick<ToolContext, 'repo' | 'index' | 'signal'>,
): Promise<Impact> {
  const { index } = context;
  const { paths, symbols } = locate(subject, index);
  const { callers, count } = await findCallers(symbols.slice(0, MAX_SYMBOLS), context);
  const outside = subject.kind === 'symbol' ? callers : callers.filter(({ path }) => !paths.includes(path));
  const using = outside.filter(({ path }) => isTestFile(path));
  const byUse = using.map(
    ({ path, uses }): CoveringTest => ({ path, basis: 'uses', of: pathOf(uses, paths, index) }),
  );
  const tests = new Map([...findCoveringTests(index, paths), ...byUse].map((test) => [test.path, test]));
  return {
    subject: { kind: subject.kind, name: subject.name, paths, symbols: symbols.slice(0, MAX_SYMBOLS) },
    callers: limitCallers(outside),
    caller_count: count - (callers.length - outside.length),
    tests: [...tests.values()].slice(0, MAX_TESTS),
    changes_with: findChangesWith(index, paths),
    regressions: findRegressions(index, paths),
  };
}

function locate(
  subject: ImpactSubject,
  { code, commits }: RepositoryIndex,
): { paths: string[]; symbols: string[] } {
  if (!code) throw new AppError('unavailable', 'files_being_read', { reason: 'not_ready', retryAfter: 5 });
  if (subject.kind === 'symbol') {
    const name = subject.name.replace(/\(.*$/s, '').replaceAll(/::|#/g, '.').trim();
    const found = findDefinitions(name, code);
    if (!found)
      throw new AppError('not_found', 'impact_symbol_not_found', { params: { name: `\`${name}\`` } });
    const files = found.passages.flatMap((passage) => code.passageFiles(passage));
    const symbols = found.passages.map((passage) => code.passageSymbol(passage) ?? name);
    return { paths: unique(files.map((file) => code.filePath(file))), symbols: unique(symbols) };
  }
  if (!('files' in subject)) {
    if (code.fileNumber(subject.name) < 0 && commits.pathNumber(subject.name) < 0)
      throw new AppError('not_found', 'file_not_found');
    return { paths: [subject.name], symbols: unique(symbolsOf(subject.name, null, code)) };
  }
  const paths = subject.files.flatMap(({ old_path, new_path }) => old_path ?? new_path ?? []);
  const symbols = subject.files.flatMap(({ old_path, hunks }) =>
    old_path === null
      ? []
      : symbolsOf(
          old_path,
          hunks.map((hunk) => [hunk.old_start, hunk.old_start + hunk.old_lines]),
          code,
        ),
  );
  return { paths: unique(paths), symbols: unique(symbols) };
}

/** Definitions of a file, or those at some of its lines. */
function symbolsOf(path: string, ranges: readonly (readonly number[])[] | null, code: CodeTable): string[] {
  const file = code.fileNumber(path);
  if (file < 0) return [];
  const { first, count } = code.filePassages(file);
  const passages = Array.from({ length: count }, (_, at) => first + at);
  return passages
    .filter((passage) => {
      const { start, end } = code.passageLines(passage);
      return ranges === null || ranges.some(([from, to]) => from! <= end && to! >= start);
    })
    .flatMap((passage) => code.passageSymbol(passage) ?? [])
    .filter((symbol) => symbol.split('.').at(-1)!.length >= MIN_NAME_LENGTH);
}

const unique = (names: readonly string[]) => [...new Set(names)].slice(0, MAX_IMPACT_PATHS);

/** The one of the paths that defines a symbol. */
function pathOf(symbol: string, paths: readonly string[], { code }: RepositoryIndex): string {
  const files = code!.passagesDefining(symbol).flatMap((passage) => code!.passageFiles(passage));
  const defining = files.map((file) => code!.filePath(file));
  return defining.find((path) => paths.includes(path)) ?? paths[0] ?? symbol;
}

function findChangesWith(index: RepositoryIndex, paths: readonly string[]): Impact['changes_with'] {
  const found = new Map<string, Impact['changes_with'][number]>();
  for (const path of paths) {
    const { of, coupled } = findCoupled(index, path, newestTouching(index, path), 2 * MAX_CHANGES_WITH);
    for (const { path: other, together } of coupled) {
      if (together < MIN_TOGETHER || together < MIN_SHARE * of || paths.includes(other)) continue;
      if (!found.has(other)) found.set(other, { path: other, with: path, together, of });
    }
  }
  return [...found.values()].sort((a, b) => b.together / b.of - a.together / a.of).slice(0, MAX_CHANGES_WITH);
}

function findRegressions(index: RepositoryIndex, paths: readonly string[]): Impact['regressions'] {
  const { commits } = index;
  const found = new Map<number, Impact['regressions'][number]>();
  for (const path of paths) {
    for (const commit of newestTouching(index, path)) {
      if (found.has(commit) || commits.paths(commit).length > BULK_COMMIT_FILES) continue;
      const message = commits.message(commit);
      const isRevert = revertedCommits(message).length > 0 || message.startsWith('Revert "');
      const kind = isRevert
        ? 'revert'
        : isFixCommit(index, commit)
          ? REGRESSION.test(message)
            ? 'regression'
            : 'fix'
          : null;
      if (kind === null) continue;
      found.set(commit, {
        ...{ hash: commits.oid(commit), subject: commits.subject(commit).slice(0, 300) },
        ...{ author: commits.author(commit), timestamp: isoTime(commits.time(commit)), path, kind },
      });
    }
  }
  const fixesLast = (kind: string) => Number(kind === 'fix');
  return [...found]
    .sort(([a, one], [b, other]) => fixesLast(one.kind) - fixesLast(other.kind) || a - b)
    .map(([, regression]) => regression)
    .slice(0, MAX_REGRESSIONS);
}

/** Newest commits of a path. */
function newestTouching({ commits }: RepositoryIndex, path: string): number[] {
  const number = commits.pathNumber(path);
  if (number < 0) return [];
  return Array.from(commits.touching(number))
    .sort((a, b) => a - b)
    .slice(0, MAX_COMMITS);
}
