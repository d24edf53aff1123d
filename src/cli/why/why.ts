import { AppError } from '#contract/errors.ts';
import type { FailedTests } from '#test-reports/test-failure.ts';
import { type BranchContext, readBranchContext } from './branch-context.ts';
import { type FailureAnswer, type FailureReport, toFailureReport, type WhyReport } from './failure-report.ts';
import { findCauses } from './find-causes.ts';
import { formatGithub, formatSarif } from './format-annotations.ts';
import { formatMarkdown } from './format-markdown.ts';
import { formatText } from './format-text.ts';
import { findRemovedFixes } from './removed-fixes.ts';

/** Investigator of single errors: a local repository or a server. */
interface ErrorSource {
  debug(error: string, signal: AbortSignal): Promise<FailureAnswer>;
  /** Absolute path of the git directory of the checkout; null where there is none. */
  repo: string | null;
}

interface WhyRequest {
  list: FailedTests;
  /** Failures to examine. */
  limit: number;
  base: string | null;
  isExplicitBase: boolean;
  /** Absolute path of the git directory of the checkout; null where there is none. */
  checkout: string | null;
  signal: AbortSignal;
}

const WHY_FORMATS = ['text', 'json', 'sarif', 'github', 'markdown'] as const;
export type WhyFormat = (typeof WHY_FORMATS)[number];

/** Characters of one error that are investigated; the server accepts 100,000. */
const MAX_ERROR_LENGTH = 40_000;

/**
 * Examines the failures of a test run one after the other. `open` is called only when something failed; `checkout` is the git
 * directory, in which removed fixes are found also when nothing failed.
 */
export async function explainFailures(
  { list, limit, base, isExplicitBase, checkout, signal }: WhyRequest,
  open: () => Promise<ErrorSource>,
): Promise<WhyReport> {
  if (list.total === 0) {
    const request = { repo: checkout, base, isExplicit: isExplicitBase, signal };
    const nothing = { failures: [], failure_count: 0, indexed_commit: '', abstained: false };
    return { ...nothing, ...(await compareBranch(request)) };
  }
  const { repo, debug } = await open();
  const branch =
    repo === null ? null : await readBranchContext({ repo, base, isExplicit: isExplicitBase, signal });
  const failures: FailureReport[] = [];
  let indexed_commit = branch?.head ?? '';
  for (const printed of list.failures.slice(0, limit)) {
    signal.throwIfAborted();
    const failure = { ...printed, file: toRelativePath(printed.file, repo) };
    const title =
      failure.runner === null ? '' : `${failure.name}\n${failure.file ? `${failure.file}\n` : ''}`;
    const answer = await debug(`${title}${failure.text}`.slice(0, MAX_ERROR_LENGTH), signal);
    const causes = await findCauses(failure, answer, { repo, branch, signal });
    failures.push(toFailureReport(failure, withoutBoundary(answer, branch), causes));
    indexed_commit = answer.indexed_commit;
  }
  return {
    failures,
    failure_count: list.total,
    base: branch?.base ? { ...branch.base, commits: branch.commits.length } : null,
    removed_fixes: repo !== null && branch?.base ? await findRemovedFixes(repo, branch, signal) : [],
    notes: branch?.notes ?? [],
    indexed_commit,
    abstained: failures.every(({ abstained }) => abstained),
  };
}

/** Compares the branch with its base alone: removed fixes, and notes on what the clone lacks. */
async function compareBranch({
  repo,
  base,
  ...request
}: {
  repo: string | null;
  base: string | null;
  isExplicit: boolean;
  signal: AbortSignal;
}): Promise<Pick<WhyReport, 'base' | 'removed_fixes' | 'notes'>> {
  if (repo === null || base === null) return { base: null, removed_fixes: [], notes: [] };
  const branch = await readBranchContext({ repo, base, ...request });
  return {
    base: branch.base ? { ...branch.base, commits: branch.commits.length } : null,
    removed_fixes: branch.base ? await findRemovedFixes(repo, branch, request.signal) : [],
    notes: branch.notes,
  };
}

/** Path of a file relative to the work tree; as printed outside of it. */
function toRelativePath(file: string | null, repo: string | null): string | null {
  const root = repo?.replace(/\.git$/, '');
  return root && file?.startsWith(root) ? file.slice(root.length) : file;
}

/** Drops the text of an answer that accuses the oldest commit of a shallow clone, which git takes for the author of everything. */
function withoutBoundary(answer: FailureAnswer, branch: BranchContext | null): FailureAnswer {
  const isBoundary = answer.suspect_commits.some(({ hash }) => branch?.boundary.has(hash));
  return isBoundary ? { ...answer, solution: answer.root_cause?.text ?? '' } : answer;
}

/** Formats a report in one of the formats. */
export function formatReport(report: WhyReport, format: WhyFormat, version: string): string {
  switch (format) {
    case 'text':
      return formatText(report);
    case 'json':
      return JSON.stringify(report, null, 2);
    case 'sarif':
      return formatSarif(report, version);
    case 'github':
      return formatGithub(report);
    case 'markdown':
      return formatMarkdown(report);
  }
}

/** Parses the value of `--format`. Throws `invalid_input` for others. */
export function parseFormat(value: string): WhyFormat {
  const format = WHY_FORMATS.find((one) => one === value);
  if (!format) throw new AppError('invalid_input', 'usage_why_format');
  return format;
}
