import type { CodeTable } from '#memory/repository-index.ts';
import { parseQuery, type Query } from '#search/lexical/parse-query.ts';
import type { Trace } from '../trace/trace.ts';
import type { TemplateLines } from './issue-templates.ts';
import type { PlacedFrame } from './place-frames.ts';
import { parsePrintedPath } from './printed-path.ts';
import { removeBoilerplate } from './report-boilerplate.ts';
import { commonPathSuffix, resolvePrintedPath } from './resolve-printed-path.ts';

/** A report of an error. */
export interface ErrorReport {
  error_message: string;
  code_snippet?: string | null;
  file_path?: string | null;
  additional_context?: string | null;
}

/** Repository facts that a text is compared with, so that paths of other machines and lines of templates are no evidence. */
interface RepositoryContext {
  code: CodeTable;
  frames: PlacedFrame[];
  templates: TemplateLines;
}

/** Lines that every trace contains. */
const BOILERPLATE =
  /^\s*(?:Traceback \(most recent call last\):|During handling of the above exception|The above exception was the direct cause|at (?:async )?(?:[^()]*\()?(?:node:|internal\/)|[\^~\s]+$)/;
/** Absolute paths of files; URLs are none. */
const ABSOLUTE_PATH = /(?<![\w:/.])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:[\w.@~+-]+[\\/]){1,30}[\w.@~+-]+/g;
/** Folders of a machine, below which paths name users, scripts and installations. */
const MACHINE_PATH =
  /^(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:home|Users|root|tmp|temp|var|srv|opt|usr|private|mnt|media|app|code|workspace|builds?|data)[\\/]/i;
const FILE_EXTENSION = /\.[A-Za-z]{1,5}$/;

/** Lines of a code snippet up to which it is compared as a whole. */
const MAX_WHOLE_SNIPPET_LINES = 30;
const MIN_SHARED_WORD_LENGTH = 4;

/** The report as one text: trace, context, and the code snippet in a code block. */
export function reportText(report: ErrorReport, trace: Trace, context?: RepositoryContext): string {
  const lines = trace.lines.filter((line) => !BOILERPLATE.test(line)).join('\n');
  const clean = (text: string) =>
    context ? removeBoilerplate(text, context.templates, trace.message) : text;
  const parts = [clean(context ? replacePaths(lines, trace, context) : lines)];
  if (report.additional_context) parts.push(clean(report.additional_context));
  if (report.code_snippet)
    parts.push(`\`\`\`\n${relevantLines(report.code_snippet, parts.join('\n'))}\n\`\`\``);
  return parts.join('\n\n');
}

/** Parses a report into a query, for ranking files and commits. */
export function reportQuery(report: ErrorReport, trace: Trace, context?: RepositoryContext): Query {
  return parseQuery(reportText(report, trace, context));
}

/** Replaces paths of files of the repository by their paths in it, and removes paths of the reporter's machine. */
function replacePaths(text: string, { frames: printed }: Trace, { code, frames }: RepositoryContext): string {
  const placed = new Map(frames.map(({ frame, path }) => [frame.path, path]));
  const replacement = (path: string) => placed.get(path) ?? findOwnPath(path, code);
  let replaced = text.replace(ABSOLUTE_PATH, (path) => {
    const own = replacement(path.replace(/^file:\/\//, ''));
    return own ?? (MACHINE_PATH.test(path) || FILE_EXTENSION.test(path) ? '' : path);
  });
  // Scripts that were started by a relative path.
  for (const path of new Set(printed.map((frame) => frame.path))) {
    if (!path.startsWith('/') && path.length > 2 && FILE_EXTENSION.test(path) && !replacement(path))
      replaced = replaced.replaceAll(path, '');
  }
  return replaced;
}

/** Path in the repository of a printed one that shares a folder with it or names its package; null for others. */
function findOwnPath(printed: string, code: CodeTable): string | null {
  const path = printed.replaceAll('\\', '/');
  const file = resolvePrintedPath(code, path);
  if (file < 0) return null;
  const own = code.filePath(file);
  const isLong = commonPathSuffix(path, own) > 1 || own === path;
  return isLong || parsePrintedPath(path).package !== null ? own : null;
}

/** Lines of a long snippet that share a word with the error: the text of a whole file would outweigh the error's own. */
function relevantLines(snippet: string, text: string): string {
  const lines = snippet.split('\n');
  if (lines.length <= MAX_WHOLE_SNIPPET_LINES) return snippet;
  const words = (from: string) => from.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const own = new Set(words(text).filter((word) => word.length >= MIN_SHARED_WORD_LENGTH));
  return lines
    .filter((line) => words(line).some((word) => own.has(word)))
    .slice(0, MAX_WHOLE_SNIPPET_LINES)
    .join('\n');
}
