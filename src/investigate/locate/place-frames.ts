import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { Frame, Trace } from '../trace/trace.ts';
import { filesNamed } from './files-named.ts';
import { type PackageNames, readPackageNames } from './package-names.ts';
import { isRuntimePath, type PrintedPath, parsePrintedPath } from './printed-path.ts';
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
  /** True when the package, the printed code, the function or the other frames confirm the file. */
  isCertain: boolean;
  /** The line of code, or '' when only the file is known. */
  quote: string;
  /** Lines of the function, where the printed line does not fit the revision and only the function is known. */
  range?: { start: number; end: number } | undefined;
}

/** Frames that are placed, innermost first. */
const MAX_FRAMES = 12;

/**
 * Resolves the frames of a trace in the tree, innermost first: the file by its package or the longest common path suffix,
 * the line by the printed code or the function's name. Leaves out frames of other programs.
 */
export async function placeFrames(
  trace: Trace,
  { index, sources }: { index: RepositoryIndex; sources: SourceReader },
): Promise<PlacedFrame[]> {
  const { code } = index;
  if (!code) return [];
  const packages = await readPackageNames(code, sources);
  const found = trace.frames
    .map((frame, depth) => ({ frame, depth, file: resolvePrintedPath(code, frame.path, packages) }))
    .filter(({ file }) => file >= 0);
  const placed = await Promise.all(
    found.slice(0, 2 * MAX_FRAMES).map(async ({ frame, depth, file }) => {
      const path = code.filePath(file);
      const lines = (await sources.lines(path)) ?? [];
      const isCertain =
        parsePrintedPath(frame.path).package !== null || hasPrintedCode(code, file, lines, frame);
      return { frame, depth, file, path, isCertain, ...placeLine(code, file, lines, frame) };
    }),
  );
  return dropOtherRoots(placed).slice(0, MAX_FRAMES);
}

/**
 * Drops frames of other folders than the project's: `/srv/api/index.js` is not the `index.js` of a package installed in
 * `/srv/api/node_modules`, nor that of a checkout in `/home/ada/express`.
 */
function dropOtherRoots(placed: PlacedFrame[]): PlacedFrame[] {
  const best = placed.reduce<PlacedFrame | null>(
    (a, b) => (a === null || rootStrength(b) > rootStrength(a) ? b : a),
    null,
  );
  if (!best || rootStrength(best) === 0) return placed;
  const root = rootOf(best);
  return placed
    .filter((one) => one.isCertain || !isAbsolute(one.frame.path) || (root !== null && rootOf(one) === root))
    .map((one) => (root !== null && rootOf(one) === root ? { ...one, isCertain: true } : one));
}

/** 0 for an uncertain frame that shares the file name alone, more for longer common suffixes, most for packages. */
function rootStrength({ frame, path, isCertain }: PlacedFrame): number {
  if (parsePrintedPath(frame.path).package !== null) return 100;
  return commonPathSuffix(frame.path, path) - 1 + Number(isCertain);
}

/** Folder of the checkout, as the trace prints it; null for installed packages. */
function rootOf({ frame, path }: PlacedFrame): string | null {
  if (parsePrintedPath(frame.path).package !== null) return null;
  const segments = frame.path.split('/');
  return segments.slice(0, segments.length - commonPathSuffix(frame.path, path)).join('/');
}

/** Number of last segments that two paths share. */
export function commonPathSuffix(printed: string, path: string): number {
  const [a, b] = [printed.split('/'), path.split('/')];
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:)/.test(path);
}

/** True when the file has the printed line of code, or defines the function. */
function hasPrintedCode(code: CodeTable, file: number, lines: string[], frame: Frame): boolean {
  if (frame.text && frame.text.length >= 8) return lines.some((line) => line.trim() === frame.text);
  return frame.symbol !== undefined && definitionIn(code, file, frame.symbol) !== null;
}

/**
 * Resolves a printed path by the longest common suffix; -1 for ties, unknown files, and files of packages whose name is not
 * among `packages`, if given.
 */
export function resolvePrintedPath(code: CodeTable, printed: string, packages?: PackageNames): number {
  if (isRuntimePath(printed)) return -1;
  const installed = parsePrintedPath(printed);
  const isPython = installed.ecosystem === 'python';
  if (installed.package !== null && packages && !isPython && !isNamed(installed, packages)) return -1;
  const segments = installed.inner
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
  // `site-packages/name/x.py` and `com/acme/Main.java` keep their folders; a package's compiled files may have another one than its sources.
  const isJava = /\.java$/.test(printed) && !isAbsolute(printed);
  const shortest = isPython || isJava ? segments.length : installed.package !== null && !packages ? 2 : 1;
  for (let from = 0; segments.length - from >= shortest; from++) {
    const file = code.fileNumber(segments.slice(from).join('/'));
    if (file >= 0) return file;
  }
  return findByLongestSuffix(code, segments, Math.max(shortest, 1));
}

/** True for a package of the repository; parts of a Go module and subpackages count as well. */
function isNamed({ package: name, ecosystem }: PrintedPath, packages: PackageNames): boolean {
  const lower = name!.toLowerCase();
  if (packages.has(lower)) return true;
  return ecosystem === 'go' && [...packages].some((known) => lower.startsWith(`${known}/`));
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
    return { ...at(definition.start), range: definition };
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
