import type { FailureCause, FailurePlace, FailureReport, WhyReport } from './failure-report.ts';
import { formatRemovedFix } from './removed-fixes.ts';

/** Formats a report for a terminal. A single error without a test is answered in full. */
export function formatText(report: WhyReport): string {
  const { failures, notes, removed_fixes } = report;
  const [first] = failures;
  const isPlain = failures.length === 1 && first!.runner === null;
  const parts = isPlain ? [formatPlain(first!)] : [headline(report), ...failures.map(formatFailure)];
  const removed = removed_fixes.map((one) => `Removed fix: ${formatRemovedFix(one)}`);
  return [...parts, ...removed, ...notes.map((note) => `Note: ${note}`)].join('\n\n');
}

/** Sentence on the number of failures and the commits that were compared. */
export function headline({ failures, failure_count, base }: WhyReport): string {
  if (failure_count === 0) return 'No failing tests.';
  const omitted = failure_count - failures.length;
  const count = `${plural(failure_count, 'failing test')}${omitted > 0 ? `, of which the first ${failures.length} were examined` : ''}.`;
  if (!base) return count;
  return `${count} ${plural(base.commits, 'commit')} on this branch since ${base.ref} (${base.commit.slice(0, 7)}).`;
}

function formatPlain({ solution, causes }: FailureReport): string {
  const own = causes.filter(({ in_branch }) => in_branch);
  if (own.length === 0) return solution;
  return `${own.map((cause) => `On this branch: ${formatCause(cause)}`).join('\n')}\n\n${solution}`;
}

function formatFailure(failure: FailureReport, index: number): string {
  const { test, file, error, place, causes, earlier_fixes } = failure;
  const rows = [
    ['Error', error],
    ['Place', place ? formatPlace(place) : 'not found: too little evidence'],
    ...(causes.length > 0
      ? causes.map((cause, at) => [causeLabel(cause, at), formatCause(cause)])
      : [['Cause', 'no commit stands out']]),
    ...earlier_fixes.map((fix) => [
      'Fixed before',
      `${fix.hash.slice(0, 7)} ${fix.message} (${fix.author}, ${fix.timestamp.slice(0, 10)})${fix.still_in_place === false ? ', undone since' : ''}`,
    ]),
  ];
  const title = `${index + 1}. ${test}${file && !test.includes(file) ? `  ${file}` : ''}`;
  return [title, ...rows.map(([name = '', value]) => `   ${name.padEnd(13)}${value}`)].join('\n');
}

/** Label of a commit: a cause only where it is accused; that it changed the code is stated as a fact. */
export function causeLabel({ basis }: FailureCause, position: number): string {
  if (position > 0) return 'Or';
  return basis === 'accused' ? 'Cause' : 'Changed by';
}

/** A place as `path:line in symbol`. */
export function formatPlace({ path, start_line, end_line, symbol }: FailurePlace): string {
  const lines = end_line > start_line ? `${start_line}-${end_line}` : `${start_line}`;
  return `${path}:${lines}${symbol ? ` in ${symbol}` : ''}`;
}

function formatCause(cause: FailureCause): string {
  return `${cause.hash.slice(0, 7)} ${cause.message} (${cause.author}, ${cause.timestamp.slice(0, 10)}): ${causeReason(cause)}`;
}

/** Reason for a cause; a probability stands only beside an accused commit, for which it was measured. */
export function causeReason({ basis, path, in_branch, confidence }: FailureCause): string {
  const where = in_branch === null ? '' : in_branch ? ' on this branch' : ' before this branch';
  switch (basis) {
    case 'accused':
      return `likely cause${where}${confidence === null ? '' : `, ${Math.round(confidence * 100)} %`}`;
    case 'changed_lines':
      return `changed the failing lines of ${path}${where}`;
    case 'changed_file':
      return `changed ${path}${where}`;
    case 'related':
      return `changed the failing code${where}`;
  }
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
