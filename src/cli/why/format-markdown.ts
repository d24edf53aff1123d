import type { FailureCause, FailureReport, WhyReport } from './failure-report.ts';
import { causeLabel, causeReason, formatPlace, headline } from './format-text.ts';
import { formatRemovedFix } from './removed-fixes.ts';

/** GitHub accepts 65,536 characters, GitLab more. */
const MAX_MARKDOWN_LENGTH = 60_000;

/** Formats a report as a comment of a pull request; failures that do not fit are counted. */
export function formatMarkdown(report: WhyReport): string {
  const { failures, notes, removed_fixes, indexed_commit } = report;
  const head = '### Why the tests fail\n\n';
  if (failures.length === 0 && removed_fixes.length === 0) return `${head}No failing tests.\n`;
  const foot = [
    ...removed_fixes.map((one) => `> **Removed fix:** ${escapeMarkdown(formatRemovedFix(one))}`),
    ...notes.map((note) => `> ${escapeMarkdown(note)}`),
    ...(indexed_commit ? [`<sub>Hindsight at \`${indexed_commit.slice(0, 7)}\`</sub>`] : []),
  ].join('\n\n');
  const parts: string[] = [escapeMarkdown(headline(report))];
  let length = head.length + parts[0]!.length + foot.length;
  for (const [index, failure] of failures.entries()) {
    const part = formatFailure(failure);
    if (length + part.length > MAX_MARKDOWN_LENGTH) {
      parts.push(`${failures.length - index} more failures do not fit into this comment.`);
      break;
    }
    parts.push(part);
    length += part.length + 2;
  }
  return `${head}${parts.join('\n\n')}\n\n${foot}\n`;
}

function formatFailure({ test, file, error, place, causes, earlier_fixes }: FailureReport): string {
  const rows = [
    `- **Error:** ${codeSpan(error)}`,
    place ? `- **Place:** ${codeSpan(formatPlace(place))}` : '- **Place:** not found, too little evidence',
    ...(causes.length > 0
      ? causes.map((cause, index) => `- **${causeLabel(cause, index)}:** ${formatCause(cause)}`)
      : ['- **Cause:** no commit stands out']),
    ...earlier_fixes.map(
      ({ hash, message, author, timestamp, still_in_place }) =>
        `- **Fixed before:** \`${hash.slice(0, 7)}\` ${escapeMarkdown(message)} (${escapeMarkdown(author)}, ${timestamp.slice(0, 10)})${still_in_place === false ? ', undone since' : ''}`,
    ),
  ];
  const where = file && !test.includes(file) ? ` in ${codeSpan(file)}` : '';
  return `**${codeSpan(test)}**${where}\n\n${rows.join('\n')}`;
}

function formatCause(cause: FailureCause): string {
  const { hash, message, author, timestamp } = cause;
  return `\`${hash.slice(0, 7)}\` ${escapeMarkdown(message)} (${escapeMarkdown(author)}, ${timestamp.slice(0, 10)}): ${escapeMarkdown(causeReason(cause))}`;
}

/** Text as code on one line: neither markup nor mentions are read in it. */
function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim() || ' ';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** Escapes markup, and keeps `@name`, `#1` and `!1` of repository texts from becoming mentions and links. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~]/g, '\\$&')
    .replace(/([@#!])(?=[\w$])/g, '$1\u2060')
    .replace(/(https?):\/\//g, '$1:\u2060//');
}
