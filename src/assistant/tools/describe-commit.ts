import type { FileDiff } from '#contract/projects.ts';
import { assessFixes, findRevert } from '#evolution/fix-outcomes.ts';
import { isFixCommit, isNonSource } from '#evolution/fixes.ts';
import { showCommit } from '#git/diff.ts';
import { type AnswerLocale, answerText, moreItem } from '../answer/answer-text.ts';
import { citeCommit } from '../answer/citations.ts';
import { fencedBlock, formatCommit, formatFixOutcome, inlineCode } from '../answer/markdown.ts';
import { quoteMessageBody } from '../answer/quote-body.ts';
import type { ToolContext } from './tool.ts';

const MAX_FILES = 8;
/** Lines of hunks in all, and the fewest worth a further file. */
const MAX_HUNK_LINES = 40;
const MIN_HUNK_LINES = 5;
const MAX_SHOWN_FILES = 3;
const MAX_DIFF_BYTES = 256 * 1024;

/** Describes an indexed commit: author, date, message, changes, and whether it was undone. */
export async function describeCommit(commit: number, context: ToolContext): Promise<string> {
  const { repo, index, now, signal } = context;
  const { commits } = index;
  const parts = [`${formatCommit(index, commit)}.`, quoteMessageBody(commits.message(commit))];
  const revert = findRevert(index, commit);
  if (revert >= 0)
    parts.push(answerText(context, 'commit.reverted', { commit: formatCommit(index, revert) }));
  else if (isFixCommit(index, commit)) {
    const [outcome] = await assessFixes({ repo, index, commits: [commit], now, signal });
    if (outcome) parts.push(`${answerText(context, 'commit.fix')} ${formatFixOutcome(outcome, context)}`);
  }
  const parents = commits.parents(commit);
  if (parents.length > 1) {
    const merged = parents.map((parent) => citeCommit(commits.oid(parent), commits)).join(', ');
    parts.push(answerText(context, 'commit.merges', { commits: merged }));
  }
  const files = await showCommit(repo, commits.oid(commit), { maxBytes: MAX_DIFF_BYTES, signal });
  parts.push(formatFiles(files, context), index.code ? formatMainHunks(files, context) : '');
  return parts.filter((part) => part !== '').join('\n\n');
}

function formatFiles(files: FileDiff[], locale: AnswerLocale): string {
  if (files.length === 0) return '';
  const items = files.slice(0, MAX_FILES).map((file) => {
    const lines = file.hunks.flatMap((hunk) => hunk.lines);
    const changed = (kind: 'add' | 'delete') => lines.filter((line) => line.kind === kind).length;
    const path = file.new_path ?? file.old_path ?? '';
    const status = file.old_path === null ? 'new' : file.new_path === null ? 'deleted' : null;
    const isRenamed = status === null && file.old_path !== path;
    const from = isRenamed
      ? `, ${answerText(locale, 'commit.renamed_from', { path: inlineCode(file.old_path!) })}`
      : '';
    const counts = file.binary
      ? answerText(locale, 'commit.binary')
      : `+${changed('add')} −${changed('delete')}`;
    const details = status === null ? counts : `${answerText(locale, `commit.${status}`)}, ${counts}`;
    return `- ${inlineCode(path)}${from}: ${details}`;
  });
  items.push(...moreItem(locale, files.length - items.length));
  return `${answerText(locale, 'commit.files', { count: files.length })}\n\n${items.join('\n')}`;
}

/** Hunks of the files that say most about a commit: code that remains first, then those with the most changed lines. */
function formatMainHunks(files: FileDiff[], locale: AnswerLocale): string {
  const shown: string[] = [];
  let left = MAX_HUNK_LINES;
  for (const file of files.filter(({ hunks }) => hunks.length > 0).toSorted(compareWeight)) {
    if (left < MIN_HUNK_LINES || shown.length === MAX_SHOWN_FILES) break;
    const lines = diffLines(file);
    const cut = lines.length > left ? [...lines.slice(0, left), ' …'] : lines;
    const path = inlineCode(file.new_path ?? file.old_path ?? '');
    shown.push(`${answerText(locale, 'commit.in_file', { path })}\n\n${fencedBlock('diff', cut.join('\n'))}`);
    left -= lines.length;
  }
  return shown.join('\n\n');
}

function compareWeight(a: FileDiff, b: FileDiff): number {
  const rank = ({ new_path }: FileDiff) => (new_path === null ? 0 : isNonSource(new_path) ? 1 : 2);
  const changed = ({ hunks }: FileDiff) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind !== 'context').length, 0);
  return rank(b) - rank(a) || changed(b) - changed(a);
}

function diffLines({ hunks }: FileDiff): string[] {
  const signs = { context: ' ', add: '+', delete: '-' };
  return hunks.flatMap(({ old_start, new_start, lines }) => [
    `@@ -${old_start} +${new_start} @@`,
    ...lines.map(({ kind, text }) => `${signs[kind]}${text}`),
  ]);
}
