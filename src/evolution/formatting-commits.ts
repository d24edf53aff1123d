import { readFileAt } from '#git/file-at.ts';
import type { CommitTable } from '#memory/repository-index.ts';

/** File of git and of code hosts that lists commits for `blame` to pass over. */
const IGNORE_FILE = '.git-blame-ignore-revs';

/** Subjects of commits that change the form of the code alone. */
const FORMATTING_SUBJECT =
  /\b(?:run|apply|use|switch to|format(?:ted|ting)?(?: \w+)? (?:with|using|by)|reformat(?:ted)? (?:with|using)?)\s+(?:the )?(?:prettier|black|gofmt|goimports|rustfmt|cargo fmt|clang-format|yapf|ruff|autopep8|isort|standardrb|rubocop -a|scalafmt|google-java-format|spotless|biome)\b|^(?:style|chore)(?:\([^)]*\))?:\s*(?:re-?format|format|fix (?:white ?space|indentation)|prettier|black|gofmt|rustfmt)|^(?:re-?format|re-?indent|fix indentation|(?:strip|remove|trim) trailing white ?space|convert tabs|black|gofmt|rustfmt|prettier|format code)\b/i;

/** True for a commit whose subject says that it changes the form of the code alone. */
export function isFormattingCommit(commits: Pick<CommitTable, 'subject'>, commit: number): boolean {
  return FORMATTING_SUBJECT.test(commits.subject(commit));
}

/** Commits that the repository lists to be ignored by blame: one full hash a line; `#` starts a comment. */
export async function readIgnoredCommits(
  repo: string,
  revision: string,
  commits: Pick<CommitTable, 'find'>,
): Promise<Set<number>> {
  const text = (await readFileAt(repo, revision, IGNORE_FILE)) ?? '';
  const hashes = text.split('\n').flatMap((line) => /^\s*([0-9a-f]{40,64})\b/.exec(line)?.[1] ?? []);
  return new Set(hashes.map((hash) => commits.find(hash)).filter((number) => number >= 0));
}

/** Creates the test for commits that cause nothing: listed ones, and those that only format. */
export async function createFormattingTest(
  repo: string,
  revision: string,
  commits: Pick<CommitTable, 'find' | 'pathNumber' | 'subject'>,
): Promise<(commit: number) => boolean> {
  const hasList = commits.pathNumber(IGNORE_FILE) >= 0;
  const listed = hasList ? await readIgnoredCommits(repo, revision, commits) : new Set<number>();
  return (commit) => listed.has(commit) || isFormattingCommit(commits, commit);
}
