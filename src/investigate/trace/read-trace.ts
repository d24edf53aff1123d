import { cleanLines } from './clean-lines.ts';
import { readCsharp } from './csharp.ts';
import { readPlaces } from './file-mentions.ts';
import { readGo } from './go.ts';
import { readJava } from './java.ts';
import { readJavaScript } from './javascript.ts';
import { readNative } from './native.ts';
import { readPhp } from './php.ts';
import { readPython } from './python.ts';
import { readRuby } from './ruby.ts';
import { readRust } from './rust.ts';
import type { Frame, Trace, TraceError, TraceLanguage, TraceParser } from './trace.ts';

/** One parser a language: adding one here is all that a further language needs. */
const PARSERS: Record<TraceLanguage, TraceParser> = {
  javascript: readJavaScript,
  python: readPython,
  java: readJava,
  go: readGo,
  rust: readRust,
  c: readNative,
  csharp: readCsharp,
  ruby: readRuby,
  php: readPhp,
};

/**
 * Reads a pasted error: language, type, message and frames, innermost first. Text that is no trace gives its first
 * telling line as the message and the places that it mentions (`path:12`) as frames. Never throws; linear in the text.
 */
export function readTrace(text: string): Trace {
  const lines = cleanLines(text);
  const [best] = Object.entries(PARSERS)
    .map(([language, parse]) => ({ language: language as TraceLanguage, errors: parse(lines) }))
    .map((read) => ({ ...read, weight: weigh(read.errors) }))
    .sort((a, b) => b.weight - a.weight);
  const [principal, ...related] = best?.errors ?? [];
  if (!best || !principal) return { language: null, ...plainText(lines), related: [], lines };
  const frames = distinct([...principal.frames, ...related.flatMap((error) => error.frames)]);
  return {
    language: best.weight >= 2 ? best.language : null,
    errorType: principal.type,
    message: principal.message || plainText(lines).message,
    ...(principal.code && { code: principal.code }),
    frames: frames.length > 0 ? frames : readPlaces(lines),
    related,
    lines,
  };
}

/** A named error counts one, every frame two: words alone don't make a trace. */
function weigh(errors: TraceError[]): number {
  return errors.reduce((sum, error) => sum + (error.type ? 1 : 0) + 2 * error.frames.length, 0);
}

function plainText(lines: string[]): { errorType: null; message: string; frames: Frame[] } {
  const telling = lines.find((line) => /\b(?:error|fatal|panic|BUG|failed|exception)\b/i.test(line));
  const message = (telling ?? lines.find((line) => line.trim() !== '') ?? '').trim();
  return { errorType: null, message, frames: readPlaces(lines) };
}

function distinct(frames: Frame[]): Frame[] {
  const seen = new Set<string>();
  return frames.filter((frame) => {
    const key = `${frame.path}:${frame.line}:${frame.symbol ?? ''}`;
    return !seen.has(key) && seen.add(key);
  });
}
