import type { Suspect } from '#contract/debug.ts';
import { blame } from '#git/blame.ts';
import { git } from '#git/run.ts';
import type { TestFailure } from '#test-reports/test-failure.ts';
import type { BranchCommit, BranchContext } from './branch-context.ts';
import type { FailureAnswer, FailureCause } from './failure-report.ts';

const MAX_CAUSES = 3;
/** Places of an answer whose files count. */
const MAX_PLACES = 3;
/** Lines of a place that are blamed. */
const MAX_BLAMED_LINES = 60;
const GIT_TIMEOUT_MS = 10_000;

/**
 * Orders the commits that may have broken a test: accused commits of the branch, commits of the branch that changed the failing
 * lines or files, then older commits. The oldest commits of a shallow clone are left out.
 */
export async function findCauses(
  failure: TestFailure,
  answer: FailureAnswer,
  { repo, branch, signal }: { repo: string | null; branch: BranchContext | null; signal: AbortSignal },
): Promise<FailureCause[]> {
  const isKnown = branch?.base != null;
  const own = new Map((branch?.commits ?? []).map((commit) => [commit.hash, commit]));
  const toCause = (basis: 'accused' | 'related') => (suspect: Suspect, index: number) => ({
    ...pickCommit(suspect),
    path: suspect.path,
    basis,
    in_branch: isKnown ? own.has(suspect.hash) : null,
    confidence: basis === 'accused' && index === 0 ? (answer.cause_confidence ?? null) : null,
  });
  const named: FailureCause[] = [
    ...answer.suspect_commits.map(toCause('accused')),
    ...(answer.related_commits ?? []).map(toCause('related')),
  ].filter(({ hash }) => !branch?.boundary.has(hash));
  const changed =
    branch && repo !== null ? await findBranchChanges(failure, answer, branch, { repo, signal }) : [];
  const ordered = [
    ...named.filter(({ in_branch, basis }) => in_branch && basis === 'accused'),
    ...changed.filter(({ basis }) => basis === 'changed_lines'),
    ...changed.filter(({ basis }) => basis === 'changed_file'),
    ...named.filter(({ in_branch, basis }) => !in_branch || basis === 'related'),
  ];
  const seen = new Set<string>();
  return ordered.filter(({ hash }) => !seen.has(hash) && seen.add(hash)).slice(0, MAX_CAUSES);
}

/** Commits of the branch that last changed the lines of the first place, then those that changed a file of the failure. */
async function findBranchChanges(
  failure: TestFailure,
  { places, abstained }: FailureAnswer,
  { commits, head }: BranchContext,
  { repo, signal }: { repo: string; signal: AbortSignal },
): Promise<FailureCause[]> {
  if (commits.length === 0) return [];
  const toCause =
    (basis: FailureCause['basis'], path: string) =>
    (commit: BranchCommit): FailureCause => ({
      ...pickCommit(commit),
      path,
      basis,
      in_branch: true,
      confidence: null,
    });
  const located = abstained ? [] : places.slice(0, MAX_PLACES);
  const [first] = located;
  const found: FailureCause[] = [];
  if (first && commits.some(({ paths }) => paths.has(first.path))) {
    const { path, start_line: from, end_line } = first;
    const to = Math.min(end_line, from + MAX_BLAMED_LINES);
    const lines = await blame(repo, { commit: head, path, from, to, signal, timeoutMs: GIT_TIMEOUT_MS });
    const counts = new Map<string, number>();
    for (const { oid } of lines) counts.set(oid, (counts.get(oid) ?? 0) + 1);
    const blamed = commits.filter(({ hash }) => counts.has(hash));
    found.push(...blamed.map(toCause('changed_lines', path)));
  }
  const files = [...new Set([...located.map(({ path }) => path), ...pathsInText(failure, commits)])];
  const touching = commits.flatMap((commit) => {
    const path = files.find((one) => commit.paths.has(one));
    return path === undefined ? [] : [{ commit, path }];
  });
  const scores = await scoreDiffs(failure, touching.slice(0, MAX_DIFFS), { repo, signal });
  const ordered = touching.toSorted(
    (a, b) => (scores.get(b.commit.hash) ?? 0) - (scores.get(a.commit.hash) ?? 0),
  );
  found.push(...ordered.map(({ commit, path }) => toCause('changed_file', path)(commit)));
  return found;
}

/** Commits whose diffs are compared with the failure. */
const MAX_DIFFS = 40;
const MAX_DIFF_BYTES = 512 * 1024;

/** Scores commits by the words that their message and changed lines share with the failure, and by their distance from its lines. */
async function scoreDiffs(
  failure: TestFailure,
  touching: readonly { commit: BranchCommit; path: string }[],
  { repo, signal }: { repo: string; signal: AbortSignal },
): Promise<Map<string, number>> {
  if (touching.length < 2) return new Map();
  const args = ['show', '--format=', '--unified=0', '--no-color', '--no-ext-diff', '--no-textconv'];
  const diffs: { hash: string; words: Set<string>; nearness: number }[] = [];
  for (const { commit, path } of touching) {
    const options = {
      name: 'show',
      revisions: [commit.hash],
      paths: [path],
      signal,
      timeoutMs: GIT_TIMEOUT_MS,
    };
    const { stdout } = await git(repo, args, { ...options, maxOutput: MAX_DIFF_BYTES }).catch(() => ({
      stdout: '',
    }));
    const changed = stdout
      .toString()
      .split('\n')
      .filter((line) => /^(?:[+-](?![+-])|@@)/.test(line));
    const words = wordsOf(`${commit.message}\n${changed.join('\n')}`);
    diffs.push({ hash: commit.hash, words, nearness: nearness(changed, printedLines(failure.text, path)) });
  }
  const failing = wordsOf(`${failure.name}\n${failure.text}`);
  const commitsWith = (word: string) => diffs.filter(({ words }) => words.has(word)).length;
  return new Map(
    diffs.map(({ hash, words, nearness: near }) => {
      const shared = [...words].filter((word) => failing.has(word));
      const mass = shared.reduce((sum, word) => sum + Math.log(1 + diffs.length / commitsWith(word)), 0);
      return [hash, near + mass / Math.sqrt(1 + words.size)];
    }),
  );
}

/** Lines of a file that a text prints: `src/total.js:4:43`. */
function printedLines(text: string, path: string): number[] {
  const after = text.split(path).slice(1);
  return after.flatMap((rest) => Number(/^:(\d{1,7})/.exec(rest)?.[1] ?? 0) || []);
}

/** Distance of the nearest hunk from the failing lines as a score: 2 beside them, 1 within ten lines, 0 else. */
function nearness(changed: readonly string[], lines: readonly number[]): number {
  const hunks = changed.flatMap((line) => {
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    return start === undefined ? [] : [{ from: Number(start), to: Number(start) + Number(count) }];
  });
  const distance = Math.min(
    ...hunks.flatMap(({ from, to }) => lines.map((line) => Math.max(0, from - line, line - to))),
  );
  return distance <= 1 ? 2 : distance <= 10 ? 1 : 0;
}

/** Words of a text, those of `camelCase` and `snake_case` names apart. */
function wordsOf(text: string): Set<string> {
  const split = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').toLowerCase();
  return new Set(split.match(/[\p{L}]{2,40}|\d{2,9}/gu) ?? []);
}

/** Changed paths that the failure prints, the deepest code first: as printed, or as the end of a path of another machine. */
function pathsInText({ text, file }: TestFailure, commits: readonly BranchCommit[]): string[] {
  const printed = `${text}\n${file ?? ''}`.replaceAll('\\', '/');
  const changed = new Set(commits.flatMap(({ paths }) => [...paths]));
  return [...changed]
    .map((path) => ({ path, at: indexOfPath(printed, path) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ path }) => path);
}

function indexOfPath(text: string, path: string): number {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + path.length] ?? ' '];
    if (!/[\w.-]/.test(before) && !/[\w/-]/.test(after)) return at;
  }
  return -1;
}

function pickCommit({ hash, message, author, timestamp }: Omit<BranchCommit, 'paths'>) {
  return { hash, message: message.split('\n')[0]!, author, timestamp };
}
