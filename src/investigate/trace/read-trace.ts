import { cleanLines } from './clean-lines.ts';
import { parseCsharp } from './csharp.ts';
import { findFileMentions } from './file-mentions.ts';
import { parseGo } from './go.ts';
import { parseJava } from './java.ts';
import { parseJavaScript } from './javascript.ts';
import { MORE_PARSERS } from './more-languages.ts';
import { parseNative } from './native.ts';
import { parsePerl } from './perl.ts';
import { parsePhp } from './php.ts';
import { parsePython } from './python.ts';
import { parseRuby } from './ruby.ts';
import { parseRust } from './rust.ts';
import type { Frame, Trace, TraceError, TraceLanguage, TraceParser } from './trace.ts';

/** Parsers by language; a new language only needs an entry here. */
const PARSERS: Record<TraceLanguage, TraceParser> = {
  javascript: parseJavaScript,
  python: parsePython,
  java: parseJava,
  go: parseGo,
  rust: parseRust,
  c: parseNative,
  csharp: parseCsharp,
  ruby: parseRuby,
  php: parsePhp,
  perl: parsePerl,
  ...MORE_PARSERS,
};

/**
 * Parses an error text into language, type, message and frames, innermost first. Other text yields its first line about
 * an error as message and its file mentions (`path:12`) as frames. Never throws; linear in the text.
 */
export function parseTrace(text: string): Trace {
  const lines = cleanLines(text);
  // A fence ends a message as a blank line does.
  const printed = lines.map((line) => (FENCE.test(line) ? '' : line));
  const [best] = Object.entries(PARSERS)
    .map(([language, parse]) => ({
      language: language as TraceLanguage,
      errors: parse(printed).map(withPlainPaths),
    }))
    .map((read) => ({ ...read, weight: traceWeight(read.errors) }))
    .sort((a, b) => b.weight - a.weight);
  const [principal, ...related] = best?.errors ?? [];
  if (!best || !principal) return { language: null, ...parsePlainText(lines), related: [], lines };
  const frames = dedupeFrames([...principal.frames, ...related.flatMap((error) => error.frames)]);
  return {
    language: best.weight >= 2 ? best.language : null,
    errorType: principal.type,
    // An error without words is described by its type, not by a line about another one.
    message: principal.message || (principal.type ?? parsePlainText(lines).message),
    ...(principal.code && { code: principal.code }),
    frames: frames.length > 0 ? frames : findFileMentions(lines),
    related,
    lines,
  };
}

/** An error whose paths have no segments `.` and `..`: programs print `bin/../lib/cart.pm`. */
function withPlainPaths(error: TraceError): TraceError {
  const frames = error.frames.map((frame) => ({ ...frame, path: plainPath(frame.path) }));
  return { ...error, frames };
}

function plainPath(path: string): string {
  if (!/\/\.{1,2}\//.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && !/^(?:|\.\.|[A-Za-z]:)$/.test(parts.at(-1)!)) parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A line that opens or closes a code block of Markdown. */
const FENCE = /^\s*(?:```|~~~)/;

/** Counts 1 for a named error and 2 for every frame, since words alone do not make a trace. */
function traceWeight(errors: TraceError[]): number {
  return errors.reduce((sum, error) => sum + (error.type ? 1 : 0) + 2 * error.frames.length, 0);
}

function parsePlainText(lines: string[]): { errorType: null; message: string; frames: Frame[] } {
  const fenced = linesInFences(lines);
  const isError = (line: string) => /\b(?:error|fatal|panic|BUG|failed|exception)\b/i.test(line);
  const isFilled = (line: string) => line.trim() !== '';
  const message =
    fenced.find(isError) ?? lines.find(isError) ?? fenced.find(isFilled) ?? lines.find(isFilled) ?? '';
  return { errorType: null, message: message.trim(), frames: findFileMentions(lines) };
}

/** Lines inside the fenced code blocks of Markdown, where a report quotes output. */
function linesInFences(lines: string[]): string[] {
  let isInside = false;
  return lines.filter((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isInside = !isInside;
    return isInside && !isFence;
  });
}

function dedupeFrames(frames: Frame[]): Frame[] {
  const seen = new Set<string>();
  return frames.filter((frame) => {
    const key = `${frame.path}:${frame.line}:${frame.symbol ?? ''}`;
    return !seen.has(key) && seen.add(key);
  });
}
