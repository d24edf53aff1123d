import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import type { Frame, Trace } from '../trace/trace.ts';
import type { SourceReader } from './source-reader.ts';

/** A frame of the trace, resolved in the tree of the indexed revision. */
export interface PlacedFrame {
  frame: Frame;
  /** Its position in the trace: 0 is the innermost. */
  depth: number;
  file: number;
  path: string;
  /** Current line of the code; null when the trace names only the file. */
  line: number | null;
  /** True when the trace has another line number for the code. */
  hasMoved: boolean;
  /** The line of code, or '' when only the file is known. */
  quote: string;
}

/** Frames that are placed, innermost first. */
const MAX_FRAMES = 12;
/** Files with the same name that are compared. */
const MAX_SAME_NAME_FILES = 200;

/** Paths of a language's own runtime. */
const RUNTIME_PATH =
  /^(?:node:|internal\/|native\b|<|\[)|\/lib\/python\d(?:\.\d+)?\/(?!site-packages|dist-packages)|(?:^|\/)(?:_pytest|unittest|importlib)\//;
/** Paths of installed packages, followed by `name/…`, or `@scope/name/…` in JavaScript. */
const PACKAGE_PATH = /^.*(?:^|\/)(node_modules|site-packages|dist-packages)\//;

/**
 * Resolves the frames of a trace in the tree, innermost first: the file by the longest common path suffix, the line by
 * the printed code or the function's name. Leaves out frames of other programs.
 */
export async function placeFrames(
  trace: Trace,
  { index, sources }: { index: RepositoryIndex; sources: SourceReader },
): Promise<PlacedFrame[]> {
  const { code } = index;
  if (!code) return [];
  const found = trace.frames
    .map((frame, depth) => ({ frame, depth, file: resolvePrintedPath(code, frame.path) }))
    .filter(({ file }) => file >= 0)
    .slice(0, MAX_FRAMES);
  return await Promise.all(
    found.map(async ({ frame, depth, file }) => {
      const path = code.filePath(file);
      const lines = await sources.lines(path);
      return { frame, depth, file, path, ...placeLine(code, file, lines ?? [], frame) };
    }),
  );
}

/** Resolves a printed path by the longest common suffix; -1 for ties and for unknown files. */
export function resolvePrintedPath(code: CodeTable, printed: string): number {
  if (RUNTIME_PATH.test(printed)) return -1;
  const installed = PACKAGE_PATH.exec(printed);
  const path = installed ? printed.slice(installed[0].length) : printed;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
  // `node_modules/name/lib/x.js` is `lib/x.js` in the package's repository; `name/x.py` keeps its folder.
  const shortest = installed ? 2 : 1;
  for (let from = 0; segments.length - from >= shortest; from++) {
    const file = code.fileNumber(segments.slice(from).join('/'));
    if (file >= 0) return file;
  }
  return findByLongestSuffix(code, segments, Math.max(shortest, 1));
}

/** The unique file with the longest common path suffix; -1 for a tie. */
function findByLongestSuffix(code: CodeTable, segments: string[], shortest: number): number {
  let best = -1;
  let bestLength = shortest - 1;
  let tied = false;
  for (const file of filesNamed(code, segments.at(-1) ?? '')) {
    const own = code.filePath(file).split('/');
    let length = 0;
    while (
      length < own.length &&
      length < segments.length &&
      own.at(-1 - length) === segments.at(-1 - length)
    )
      length++;
    if (length > bestLength) [best, bestLength, tied] = [file, length, false];
    else if (length === bestLength && best >= 0) tied = true;
  }
  return tied ? -1 : best;
}

/** Files whose path contains all terms of this name. */
function filesNamed(code: CodeTable, name: string): number[] {
  const lists = [...new Set(terms(name))].map(
    (term) => code.paths.postings(term)?.docs.slice() ?? new Uint32Array(),
  );
  lists.sort((a, b) => a.length - b.length);
  const [rarest, ...others] = lists;
  if (!rarest || rarest.length > MAX_SAME_NAME_FILES * 10) return [];
  return Array.from(rarest)
    .filter((file) => others.every((docs) => docs.length > MAX_SAME_NAME_FILES * 10 || docs.includes(file)))
    .slice(0, MAX_SAME_NAME_FILES);
}

function placeLine(code: CodeTable, file: number, lines: string[], frame: Frame) {
  if (frame.line === null) return { line: null, hasMoved: false, quote: '' };
  const at = (line: number) => ({
    line,
    hasMoved: line !== frame.line,
    quote: lines[line - 1]?.trim() ?? '',
  });
  if (frame.text) {
    const line = nearestLine(lines, frame.line, (text) => text.trim() === frame.text);
    if (line > 0) return at(line);
  }
  const definition = frame.symbol ? definitionIn(code, file, frame.symbol) : null;
  if (definition && (frame.line < definition.start || frame.line > definition.end))
    return at(definition.start);
  return frame.line <= lines.length ? at(frame.line) : { line: null, hasMoved: true, quote: '' };
}

/** The line closest to `line` that passes the test, counted from 1; 0 when there is none. */
function nearestLine(lines: string[], line: number, test: (text: string) => boolean): number {
  for (let step = 0; step <= lines.length; step++) {
    for (const at of [line - step, line + step])
      if (at >= 1 && at <= lines.length && test(lines[at - 1]!)) return at;
  }
  return 0;
}

/** Lines of the definition of a symbol in the file; null when it is absent. */
function definitionIn(code: CodeTable, file: number, symbol: string): { start: number; end: number } | null {
  const name = symbol.slice(Math.max(symbol.lastIndexOf('.'), symbol.lastIndexOf('#')) + 1);
  const passages = code.passagesDefining(name).filter((passage) => code.passageFiles(passage).includes(file));
  if (passages.length === 0) return null;
  const ranges = passages.map((passage) => code.passageLines(passage));
  return {
    start: Math.min(...ranges.map((range) => range.start)),
    end: Math.max(...ranges.map((range) => range.end)),
  };
}
