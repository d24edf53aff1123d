import { posix } from 'node:path';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';

const CHANGELOG = /^(?:CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASES?|RELEASE[-_]NOTES)(?:\.(?:md|rst|txt|adoc))?$/i;
const HEADING = /^(?:#{1,4}\s+)?\[?\s*(?:version|release|v)?\s*v?(\d+(?:\.\d+)+[\w.-]*)/i;
const MAX_FILES = 3;
const MAX_LINES = 24;
const MAX_LENGTH = 1_500;

/** Section of a changelog on one version. */
interface ChangelogSection {
  path: string;
  from: number;
  to: number;
  lines: string[];
}

/** Finds the section of a changelog whose heading names the version; null where there is none. */
export async function findChangelogSection(
  label: string,
  { index, sources }: ToolContext,
): Promise<ChangelogSection | null> {
  const version = /\d+(?:[._]\d+)+[\w.-]*/.exec(label)?.[0].replaceAll('_', '.');
  if (version === undefined || !index.code) return null;
  for (const path of changelogPaths(index.code)) {
    const lines = (await sources.lines(path)) ?? [];
    const start = lines.findIndex((line) => HEADING.exec(line)?.[1] === version);
    if (start >= 0) return toSection(path, lines, start);
  }
  return null;
}

/** Questions about the newest release or the next one. */
const ASKS_FOR_NEWS =
  /\b(?:recent|latest|last|newest|upcoming|next|new)\b(?:\s+\w+){0,3}\s+(?:releases?|versions?|updates?)\b|\bwhat(?:['’]s| is) new\b|\bbreaking changes?\b/i;
const UNRELEASED = /^(?:#{1,4}\s+)?\[?\s*unreleased\b/i;

/** Finds the newest section of a changelog for a question about what is new; null for other questions. */
export async function findNewestSection(
  question: string,
  { index, sources }: ToolContext,
): Promise<ChangelogSection | null> {
  if (!ASKS_FOR_NEWS.test(question) || !index.code) return null;
  for (const path of changelogPaths(index.code)) {
    const lines = (await sources.lines(path)) ?? [];
    const start = lines.findIndex((line) => HEADING.test(line) || UNRELEASED.test(line));
    if (start >= 0) return toSection(path, lines, start);
  }
  return null;
}

/** Lines from a heading to the next one. */
function toSection(path: string, lines: readonly string[], start: number): ChangelogSection {
  const next = lines.findIndex((line, row) => row > start && HEADING.test(line));
  const end = Math.min(next < 0 ? lines.length : next, start + MAX_LINES);
  return { path, from: start + 1, to: end, lines: lines.slice(start, end) };
}

/** Quotes a section with its citation. */
export function quoteSection({ path, from, to, lines }: ChangelogSection, context: ToolContext): string {
  const text = lines
    .filter((line) => /[\p{L}\d]/u.test(line) && !/^[=\-~^]+$/.test(line))
    .map((line) => `> ${line.trimEnd().replace(/[\\`*_~[\]<>#|!]/g, '\\$&')}`)
    .join('\n')
    .slice(0, MAX_LENGTH);
  return `${inlineCode(path)} ${citePlace(path, from, to, context)}:\n\n${text}`;
}

function changelogPaths(code: NonNullable<ToolContext['index']['code']>): string[] {
  const found: string[] = [];
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    if (CHANGELOG.test(posix.basename(path))) found.push(path);
  }
  return found
    .toSorted((a, b) => a.split('/').length - b.split('/').length || a.length - b.length)
    .slice(0, MAX_FILES);
}
