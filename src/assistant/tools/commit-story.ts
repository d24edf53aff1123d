import type { FileDiff } from '#contract/projects.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { findRevert, judgeFixes } from '#evolution/held.ts';
import { showCommit } from '#git/diff.ts';
import { citeCommit } from '../citations.ts';
import { code, fenced, introduceCommit, plain, sayHeld } from '../markdown.ts';
import type { ToolContext } from './tool.ts';

const SHOWN_FILES = 8;
const SHOWN_LINES = 30;
const MAX_DIFF = 256 * 1024;
const MAX_BODY = 600;

/** Explains a remembered commit: who, when, its own words, what it changed, and whether it stayed. */
export async function sayCommit(commit: number, context: ToolContext): Promise<string> {
  const { repo, memory, now, signal } = context;
  const { commits } = memory;
  const parts = [`${introduceCommit(memory, commit)}.`, quoteBody(commits.message(commit))];
  const revert = findRevert(memory, commit);
  if (revert >= 0) parts.push(`It was taken back by ${introduceCommit(memory, revert)}.`);
  else if (isFixCommit(memory, commit)) {
    const [held] = await judgeFixes({ repo, memory, commits: [commit], now, signal });
    if (held) parts.push(`It is a fix. ${sayHeld(held)}`);
  }
  const parents = commits.parents(commit);
  if (parents.length > 1) {
    parts.push(`It merges ${parents.map((parent) => citeCommit(commits.oid(parent))).join(' and ')}.`);
  }
  const files = await showCommit(repo, commits.oid(commit), { maxBytes: MAX_DIFF, signal });
  parts.push(listFiles(files), memory.code ? showHunk(files) : '');
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What a message says below its subject, as a quotation; empty when it says nothing. */
export function quoteBody(message: string): string {
  const body = message.slice(message.search(/\n\s*\n|$/)).trim();
  const cut = body.length > MAX_BODY ? `${body.slice(0, MAX_BODY)}…` : body;
  return cut
    .split('\n')
    .map((line) => `> ${plain(line)}`)
    .join('\n')
    .replace(/^> $/, '');
}

function listFiles(files: FileDiff[]): string {
  if (files.length === 0) return '';
  const items = files.slice(0, SHOWN_FILES).map((file) => {
    const lines = file.hunks.flatMap((hunk) => hunk.lines);
    const changed = (kind: 'add' | 'delete') => lines.filter((line) => line.kind === kind).length;
    const path = file.new_path ?? file.old_path ?? '';
    const did = file.old_path === null ? 'new, ' : file.new_path === null ? 'deleted, ' : '';
    const renamed = did === '' && file.old_path !== path ? `, before ${code(file.old_path!)}` : '';
    return `- ${code(path)}${renamed}: ${file.binary ? 'binary' : `${did}+${changed('add')} −${changed('delete')}`}`;
  });
  const more = files.length - items.length;
  if (more > 0) items.push(`- and ${more} more`);
  return `It changed ${files.length} file${files.length === 1 ? '' : 's'}:\n\n${items.join('\n')}`;
}

function showHunk(files: FileDiff[]): string {
  const file = files.find(({ hunks }) => hunks.length > 0);
  if (!file) return '';
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = file.hunks.flatMap(({ old_start, new_start, lines: own }) => [
    `@@ -${old_start} +${new_start} @@`,
    ...own.map(({ kind, text }) => `${signs[kind]}${text}`),
  ]);
  const cut = lines.length > SHOWN_LINES ? [...lines.slice(0, SHOWN_LINES), ' …'] : lines;
  return `In ${code(file.new_path ?? file.old_path ?? '')}:\n\n${fenced('diff', cut.join('\n'))}`;
}
