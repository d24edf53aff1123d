import { posix } from 'node:path';
import { MANUAL_PAGE, manualText } from '../../answer/manual-page.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { SETTINGS_TEMPLATE } from './path-kinds.ts';

/** Section of a document. Lines count from 1. */
export interface DocSection {
  path: string;
  title: string;
  /** Titles of the sections around it, outermost first. */
  parents: string[];
  from: number;
  to: number;
  lines: string[];
  /** True when the section has a code block or a line with a prompt. */
  hasCommands: boolean;
}

interface Heading {
  row: number;
  title: string;
  /** Depth, from 1. */
  level: number;
}

const UNDERLINE = /^([=\-~^"'`*+#.:_])\1{2,}\s*$/;
const COMMANDS = /^\s*(?:```|~~~|\$ |> |\.\. (?:code|sourcecode|prompt)|::\s*$)|::\s*$|^(?: {4}|\t)\S/;
/** Longer documents are reference material that is read in part. */
const MAX_ROWS = 4_000;

/** Splits a document into its sections; empty for a file that cannot be read. */
export async function readDocSections(path: string, { sources }: ToolContext): Promise<DocSection[]> {
  const rows = ((await sources.lines(path)) ?? []).slice(0, MAX_ROWS);
  while (rows.at(-1)?.trim() === '') rows.pop();
  if (rows.length === 0) return [];
  const headings = headingsOf(path, rows).map((heading) => {
    return { ...heading, title: plainTitle(heading.title) || posix.basename(path) };
  });
  const head = { row: 0, title: posix.basename(path), level: 1 };
  const starts = headings[0]?.row === 0 ? headings : [head, ...headings];
  return starts
    .map((heading, i) => {
      const range = { first: heading.row, last: (starts[i + 1]?.row ?? rows.length) - 1 };
      return toSection(path, { ...heading, parents: parentsOf(starts, i) }, rows, range);
    })
    .filter(({ lines }) => lines.some((line) => line.trim() !== ''));
}

function parentsOf(headings: readonly Heading[], at: number): string[] {
  const parents: string[] = [];
  let { level } = headings[at]!;
  for (const heading of headings.slice(0, at).toReversed()) {
    if (heading.level >= level) continue;
    parents.unshift(heading.title);
    level = heading.level;
  }
  return parents;
}

function toSection(
  path: string,
  { title, parents }: Pick<DocSection, 'title' | 'parents'>,
  rows: readonly string[],
  { first, last }: { first: number; last: number },
): DocSection {
  let end = last;
  while (end > first && rows[end]!.trim() === '') end--;
  const lines = rows.slice(first, end + 1);
  const hasCommands = lines.some((line) => COMMANDS.test(line));
  return { ...{ path, title, parents, lines, hasCommands }, from: first + 1, to: end + 1 };
}

/** A title without images, such as badges, and without the addresses of links. */
function plainTitle(title: string): string {
  return title
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
}

function headingsOf(path: string, rows: readonly string[]): Heading[] {
  if (SETTINGS_TEMPLATE.test(path)) return headingsOfTemplate(rows);
  if (/\.rst$/i.test(path)) return underlined(rows);
  if (/\.(?:adoc|asciidoc)$/i.test(path)) return marked(rows, /^(=+)\s+(.+)$/);
  if (MANUAL_PAGE.test(path)) return headingsOfManual(rows);
  const found = headingsOfMarkdown(rows);
  return found.length > 0 ? found : underlined(rows);
}

function marked(rows: readonly string[], pattern: RegExp): Heading[] {
  return rows.flatMap((text, row) => {
    const [, marks, title] = pattern.exec(text) ?? [];
    return marks === undefined ? [] : [{ row, title: title!, level: marks.length }];
  });
}

/** Sections of a manual page: `.SH` and `.SS`, and the tagged paragraphs below them, which describe one option each. */
function headingsOfManual(rows: readonly string[]): Heading[] {
  return rows.flatMap((text, row): Heading[] => {
    const level = /^\.SH\b/i.test(text) ? 1 : /^\.SS\b/i.test(text) ? 2 : /^\.TP\b/.test(text) ? 3 : 0;
    const title = manualText(level === 3 ? (rows[row + 1] ?? '') : text)?.trim() ?? '';
    return level === 0 || title === '' ? [] : [{ row, title, level }];
  });
}

/** Key of a setting, also of one that is commented out: `PORT=80`, `# PORT=80`, `"port": 80`. */
const SETTING_KEY = /^\s*(?:export\s+)?(?:(?:[#;]|\/\/)\s?(?=[\w.-]+=))?["']?([A-Za-z_][\w.-]*)["']?\s*[:=]/;
const MAX_TITLE_KEYS = 4;

/** Paragraphs of a template of settings, each with the keys in it as its title. */
function headingsOfTemplate(rows: readonly string[]): Heading[] {
  const isText = (row: number) => (rows[row] ?? '').trim() !== '';
  const first = rows.flatMap((_, row) => (isText(row) && !isText(row - 1) ? [row] : []));
  return first.map((row, i) => {
    const keys = rows.slice(row, first[i + 1]).flatMap((text) => SETTING_KEY.exec(text)?.[1] ?? []);
    return { row, title: keys.slice(0, MAX_TITLE_KEYS).join(', '), level: 1 };
  });
}

/** Titles with a line of marks below, as in reStructuredText and older Markdown. */
function underlined(rows: readonly string[]): Heading[] {
  const marks: string[] = [];
  return rows.flatMap((title, row) => {
    const below = rows[row + 1] ?? '';
    const mark = UNDERLINE.exec(below)?.[1];
    const isTitle = /^\S/.test(title) && !UNDERLINE.test(title) && mark !== undefined;
    if (!isTitle || below.trim().length < Math.min(3, title.trim().length)) return [];
    // Each new mark is one level deeper.
    if (!marks.includes(mark)) marks.push(mark);
    return [{ row, title: title.trim(), level: marks.indexOf(mark) + 1 }];
  });
}

/** Metadata between `---` at the beginning of a page: the row after it, and the title that it names. */
function frontMatter(rows: readonly string[]): { end: number; title: string | null } {
  const close = rows[0] === '---' ? rows.indexOf('---', 1) : -1;
  if (close < 0) return { end: 0, title: null };
  const named = rows.slice(1, close).find((text) => /^title:\s*\S/.test(text));
  return { end: close + 1, title: named?.replace(/^title:\s*|["']/g, '').trim() ?? null };
}

function headingsOfMarkdown(rows: readonly string[]): Heading[] {
  const { end, title } = frontMatter(rows);
  const found: Heading[] = title === null ? [] : [{ row: 0, title, level: 1 }];
  let fence: string | null = null;
  rows.forEach((text, row) => {
    if (row < end) return;
    const mark = /^\s*(```+|~~~+)/.exec(text)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    if (fence !== null) return;
    const [, marks, title] = /^(#{1,6})\s+(.+?)\s*#*$/.exec(text) ?? [];
    const below = /^(=|-)\1{2,}\s*$/.exec(rows[row + 1] ?? '')?.[1];
    if (marks !== undefined) found.push({ row, title: title!, level: marks.length });
    else if (below && /^\S/.test(text) && !UNDERLINE.test(text) && !text.includes('|'))
      found.push({ row, title: text.trim(), level: below === '=' ? 1 : 2 });
  });
  return found;
}
