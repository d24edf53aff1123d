import type { CodeTable } from '#memory/repository-index.ts';
import { filesNamed } from './files-named.ts';
import type { SourceReader } from './source-reader.ts';

/** Lines of a repository's issue templates, in the form of `normalizeTemplateLine`. */
export type TemplateLines = ReadonlySet<string>;

const TEMPLATE_PATH =
  /^(?:\.github\/|docs\/|\.gitlab\/)?issue_templates?(?:\/[^/]+)?(?:\.(?:md|markdown|txt|ya?ml))$/i;
/** Templates that are read. */
const MAX_TEMPLATES = 20;
/** Keys of forms whose values the form prints into the issue. */
const FORM_TEXT = /^\s*(?:-\s+)?(?:label|description|value|placeholder)\s*:\s*['"]?(.*?)['"]?\s*$/;
const MIN_LETTERS = 3;

const cache = new WeakMap<CodeTable, Promise<TemplateLines>>();

/** Reads the lines of the issue templates of a revision, once per index; empty where it has none. */
export function readTemplateLines(code: CodeTable, sources: SourceReader): Promise<TemplateLines> {
  const cached = cache.get(code);
  if (cached) return cached;
  const lines = collectLines(code, sources).catch((error: unknown) => {
    cache.delete(code);
    throw error;
  });
  cache.set(code, lines);
  return lines;
}

async function collectLines(code: CodeTable, sources: SourceReader): Promise<TemplateLines> {
  const paths = filesNamed(code, 'issue_template')
    .map((file) => code.filePath(file))
    .filter((path) => TEMPLATE_PATH.test(path))
    .slice(0, MAX_TEMPLATES);
  const files = await Promise.all(paths.map((path) => sources.lines(path)));
  const lines = files.flatMap((file) => file ?? []);
  const texts = lines.flatMap((line) => [line, FORM_TEXT.exec(line)?.[1] ?? '']);
  return new Set(texts.map(normalizeTemplateLine).filter((line) => line.length >= MIN_LETTERS));
}

/** Letters and digits of a line, without the marks of headings, lists and check boxes, in lower case. */
export function normalizeTemplateLine(line: string): string {
  return line
    .toLowerCase()
    .replace(/^\s*(?:[-*+]|\d+[.)])?\s*\[[ x]?\]/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
