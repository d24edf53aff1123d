import type { BlameRun } from '#contract/code.ts';
import { isoTime } from '#contract/iso-time.ts';
import { type BlameLine, blame } from '#git/blame.ts';
import { readFileAt } from '#git/file-at.ts';
import { followRenames } from '#investigate/history/renames.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { presentCommitLine } from './list-folder.ts';

const IGNORE_FILE = '.git-blame-ignore-revs';
/** git looks at the changes of every ignored commit. */
const MAX_IGNORED = 200;
const MAX_LINES = 100_000;
const BLAME_TIMEOUT_MS = 15_000;

/** Subjects of commits that change the form of the code alone. */
const FORMATTING_SUBJECT =
  /\b(?:run|apply|use|switch to|format(?:ted|ting)?(?: \w+)? (?:with|using|by)|reformat(?:ted)? (?:with|using)?)\s+(?:the )?(?:prettier|black|gofmt|goimports|rustfmt|cargo fmt|clang-format|yapf|ruff|autopep8|isort|standardrb|rubocop -a|scalafmt|google-java-format|spotless|biome)\b|^(?:style|chore)(?:\([^)]*\))?:\s*(?:re-?format|format|fix (?:white ?space|indentation)|prettier|black|gofmt|rustfmt)|^(?:re-?format|re-?indent|fix indentation|(?:strip|remove|trim) trailing white ?space|convert tabs|black|gofmt|rustfmt|prettier|format code)\b/i;

/** A commit whose changes blame passes over, and why. */
interface SkippedCommit {
  commit: number;
  reason: 'listed' | 'formatting';
}

interface BlameFileRequest {
  repo: string;
  index: RepositoryIndex;
  commit: string;
  path: string;
  /** Attributes lines to the commits that formatted them. */
  keepFormatting: boolean;
  signal: AbortSignal;
}

/** Blames a file past commits that the repository lists to be ignored, and past those that only format. */
export async function blameFile(request: BlameFileRequest) {
  const { repo, index, commit, path, keepFormatting, signal } = request;
  const skipped = keepFormatting ? [] : await findSkipped(request);
  const lines = await blame(repo, {
    ...{ commit, path, signal },
    from: 1,
    to: MAX_LINES,
    ignoreWhitespace: !keepFormatting,
    ignored: skipped.map((one) => index.commits.oid(one.commit)),
    timeoutMs: BLAME_TIMEOUT_MS,
  });
  const present = ({ commit: number, reason }: SkippedCommit) => ({
    ...presentCommitLine(index.commits, number),
    reason,
  });
  return { commit, runs: groupLines(lines), skipped: skipped.map(present) };
}

/** Commits of the file that the repository's list names, and those whose subject says that they format. */
async function findSkipped({ repo, index, commit, path }: BlameFileRequest): Promise<SkippedCommit[]> {
  const { commits } = index;
  const touching = new Set(
    followRenames([path], commits)
      .allPaths(path)
      .flatMap((name) => {
        const number = commits.pathNumber(name);
        return number < 0 ? [] : [...commits.touching(number)];
      }),
  );
  const listed = await readIgnoreList(repo, commit, commits);
  return [...touching]
    .flatMap((number): SkippedCommit[] => {
      if (listed.has(number)) return [{ commit: number, reason: 'listed' }];
      const isFormatting = FORMATTING_SUBJECT.test(commits.subject(number));
      return isFormatting ? [{ commit: number, reason: 'formatting' }] : [];
    })
    .slice(0, MAX_IGNORED);
}

/** One full hash a line; `#` starts a comment. */
async function readIgnoreList(repo: string, commit: string, commits: CommitTable): Promise<Set<number>> {
  const text = (await readFileAt(repo, commit, IGNORE_FILE)) ?? '';
  const hashes = text.split('\n').flatMap((line) => /^\s*([0-9a-f]{40,64})\b/.exec(line)?.[1] ?? []);
  return new Set(hashes.map((hash) => commits.find(hash)).filter((number) => number >= 0));
}

function groupLines(lines: BlameLine[]): BlameRun[] {
  const runs: BlameRun[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last && last.hash === line.oid && last.start + last.lines === line.line) {
      last.lines += 1;
      continue;
    }
    runs.push({
      start: line.line,
      lines: 1,
      hash: line.oid,
      subject: line.summary,
      author: line.author,
      timestamp: isoTime(line.time),
      original_line: line.originalLine,
      previous: line.previous && { commit: line.previous.oid, path: line.previous.path },
    });
  }
  return runs;
}
