import { posix } from 'node:path';
import type { ToolContext } from '../../tools/tool.ts';

/** Section of a document, or a target of a build file. Lines count from 1. */
export interface DocSection {
  path: string;
  title: string;
  from: number;
  to: number;
  lines: string[];
  /** True when the section has a code block or a line with a prompt. */
  hasCommands: boolean;
}

interface Heading {
  row: number;
  title: string;
}

const UNDERLINE = /^([=\-~^"'`*+#.:_])\1{2,}\s*$/;
const COMMANDS = /^\s*(?:```|~~~|\$ |> |\.\. (?:code|sourcecode|prompt)|::\s*$)|::\s*$|^(?: {4}|\t)\S/;
/** Longer documents are reference material that is read in part. */
const MAX_ROWS = 4_000;

/** Splits a document into its sections, a build file into its targets; empty for a file that cannot be read. */
export async function readDocSections(path: string, { sources }: ToolContext): Promise<DocSection[]> {
  const rows = ((await sources.lines(path)) ?? []).slice(0, MAX_ROWS);
  while (rows.at(-1)?.trim() === '') rows.pop();
  if (rows.length === 0) return [];
  const headings = headingsOf(path, rows);
  const starts = headings[0]?.row === 0 ? headings : [{ row: 0, title: posix.basename(path) }, ...headings];
  return starts
    .map(({ row, title }, i) => toSection(path, title, rows, row, (starts[i + 1]?.row ?? rows.length) - 1))
    .filter(({ lines }) => lines.some((line) => line.trim() !== ''));
}

function toSection(
  path: string,
  title: string,
  rows: readonly string[],
  first: number,
  last: number,
): DocSection {
  let end = last;
  while (end > first && rows[end]!.trim() === '') end--;
  const lines = rows.slice(first, end + 1);
  return {
    path,
    title,
    from: first + 1,
    to: end + 1,
    lines,
    hasCommands: lines.some((line) => COMMANDS.test(line)),
  };
}

function headingsOf(path: string, rows: readonly string[]): Heading[] {
  const name = posix.basename(path);
  if (/^(?:GNU)?makefile|\.mk$/i.test(name)) return match(rows, /^([\w./-]+)\s*:(?!=)/);
  if (/\.(?:ini|cfg|toml)$/i.test(name)) return match(rows, /^\[+([^\]]+)\]+\s*$/);
  if (/\.py$/i.test(name)) return match(rows, /^def\s+(\w+)/);
  if (/\.(?:ya?ml|json)$/i.test(name)) return [];
  if (/\.rst$/i.test(name)) return underlined(rows);
  if (/\.(?:adoc|asciidoc)$/i.test(name)) return match(rows, /^=+\s+(.+)$/);
  const marked = headingsOfMarkdown(rows);
  return marked.length > 0 ? marked : underlined(rows);
}

function match(rows: readonly string[], pattern: RegExp): Heading[] {
  return rows.flatMap((text, row) => {
    const title = pattern.exec(text)?.[1];
    return title === undefined ? [] : [{ row, title }];
  });
}

/** Titles with a line of marks below, as in reStructuredText and older Markdown. */
function underlined(rows: readonly string[]): Heading[] {
  return rows.flatMap((title, row) => {
    const below = rows[row + 1] ?? '';
    const isTitle = /^\S/.test(title) && !UNDERLINE.test(title) && UNDERLINE.test(below);
    return isTitle && below.trim().length >= Math.min(3, title.trim().length)
      ? [{ row, title: title.trim() }]
      : [];
  });
}

function headingsOfMarkdown(rows: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  rows.forEach((text, row) => {
    const mark = /^\s*(```+|~~~+)/.exec(text)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    if (fence !== null) return;
    const title = /^#{1,6}\s+(.+?)\s*#*$/.exec(text)?.[1];
    if (title !== undefined) found.push({ row, title });
    else if (/^\S/.test(text) && /^(?:={3,}|-{3,})\s*$/.test(rows[row + 1] ?? '') && text.trim() !== '') {
      if (!UNDERLINE.test(text) && !text.includes('|')) found.push({ row, title: text.trim() });
    }
  });
  return found;
}
