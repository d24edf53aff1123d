import type { FileDiff } from '#contract/projects.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { findRevert, judgeFixes } from '#evolution/held.ts';
import { showCommit } from '#git/diff.ts';
import { citeCommit } from '../citations.ts';
import { escapeMarkdown, fencedBlock, formatCommit, formatFixOutcome, inlineCode } from '../markdown.ts';
import type { ToolContext } from './tool.ts';

const MAX_FILES = 8;
const MAX_HUNK_LINES = 30;
const MAX_DIFF_BYTES = 256 * 1024;
const MAX_BODY_LENGTH = 600;

/** Explains a remembered commit: who, when, its own words, what it changed, and whether it stayed. */
export async function describeCommit(commit: number, context: ToolContext): Promise<string> {
  const { repo, memory, now, signal } = context;
  const { commits } = memory;
  const parts = [`${formatCommit(memory, commit)}.`, quoteMessageBody(commits.message(commit))];
  const revert = findRevert(memory, commit);
  if (revert >= 0) parts.push(`It was taken back by ${formatCommit(memory, revert)}.`);
  else if (isFixCommit(memory, commit)) {
    const [held] = await judgeFixes({ repo, memory, commits: [commit], now, signal });
    if (held) parts.push(`It is a fix. ${formatFixOutcome(held)}`);
  }
  const parents = commits.parents(commit);
  if (parents.length > 1) {
    parts.push(`It merges ${parents.map((parent) => citeCommit(commits.oid(parent))).join(' and ')}.`);
  }
  const files = await showCommit(repo, commits.oid(commit), { maxBytes: MAX_DIFF_BYTES, signal });
  parts.push(formatFiles(files), memory.code ? formatFirstHunks(files) : '');
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What a message says below its subject, as a quotation; empty when it says nothing. */
export function quoteMessageBody(message: string): string {
  const body = message.slice(message.search(/\n\s*\n|$/)).trim();
  const cut = body.length > MAX_BODY_LENGTH ? `${body.slice(0, MAX_BODY_LENGTH)}…` : body;
  return cut
    .split('\n')
    .map((line) => `> ${escapeMarkdown(line)}`)
    .join('\n')
    .replace(/^> $/, '');
}

function formatFiles(files: FileDiff[]): string {
  if (files.length === 0) return '';
  const items = files.slice(0, MAX_FILES).map((file) => {
    const lines = file.hunks.flatMap((hunk) => hunk.lines);
    const changed = (kind: 'add' | 'delete') => lines.filter((line) => line.kind === kind).length;
    const path = file.new_path ?? file.old_path ?? '';
    const did = file.old_path === null ? 'new, ' : file.new_path === null ? 'deleted, ' : '';
    const renamed = did === '' && file.old_path !== path ? `, before ${inlineCode(file.old_path!)}` : '';
    return `- ${inlineCode(path)}${renamed}: ${file.binary ? 'binary' : `${did}+${changed('add')} −${changed('delete')}`}`;
  });
  const more = files.length - items.length;
  if (more > 0) items.push(`- and ${more} more`);
  return `It changed ${files.length} file${files.length === 1 ? '' : 's'}:\n\n${items.join('\n')}`;
}

function formatFirstHunks(files: FileDiff[]): string {
  const file = files.find(({ hunks }) => hunks.length > 0);
  if (!file) return '';
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = file.hunks.flatMap(({ old_start, new_start, lines: own }) => [
    `@@ -${old_start} +${new_start} @@`,
    ...own.map(({ kind, text }) => `${signs[kind]}${text}`),
  ]);
  const cut = lines.length > MAX_HUNK_LINES ? [...lines.slice(0, MAX_HUNK_LINES), ' …'] : lines;
  return `In ${inlineCode(file.new_path ?? file.old_path ?? '')}:\n\n${fencedBlock('diff', cut.join('\n'))}`;
}
