import type { PathMapping } from '#contract/project-settings.ts';
import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { Frame, Trace } from '../trace/trace.ts';
import { isCommentLine } from './comment-line.ts';
import { findNamedClasses } from './named-classes.ts';
import { type PackageNames, readPackageNames } from './package-names.ts';
import { parsePrintedPath } from './printed-path.ts';
import {
  commonPathSuffix,
  createPathResolver,
  isAbsolute,
  type ResolvedPath,
} from './resolve-printed-path.ts';
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
  range?: LineSpan | undefined;
}

/** First and last line. */
interface LineSpan {
  start: number;
  end: number;
}

/** Frames that are placed, innermost first. */
const MAX_FRAMES = 12;
/** Files that most programs have; the same path from the root of another one is no coincidence. */
const COMMON_FILE =
  /^(?:(?:src|lib|app|tests?|spec|bin|cmd|scripts?)\/)?(?:index|main|app|mod|lib|tests?|setup|server|client|cli|utils?|helpers?|config|common|types|errors?|parser|build|run|demo|example|conftest|script|report|__init__)\.\w+$/;
/** Line of a compiled file, beyond every source. */
const UNKNOWN_LINE = Number.MAX_SAFE_INTEGER;

interface PlaceFramesInput {
  index: RepositoryIndex;
  sources: SourceReader;
  /** Mappings of the project. */
  pathMappings?: readonly PathMapping[] | undefined;
}

/**
 * Resolves the frames of a trace in the tree, innermost first: the file by a mapping, its package or the longest common path
 * suffix, the line by the printed code or the function's name. Leaves out frames of other programs.
 */
export async function placeFrames(
  trace: Trace,
  { index, sources, pathMappings = [] }: PlaceFramesInput,
): Promise<PlacedFrame[]> {
  const { code } = index;
  if (!code) return [];
  const packages = await readPackageNames(code, sources);
  const printed = trace.frames.map(({ path }) => path);
  const resolve = createPathResolver({ code, packages, mappings: pathMappings, printed });
  const found = trace.frames.flatMap((frame, depth) => {
    const resolved = resolve(frame.path) ?? findBundled(code, packages, frame);
    return resolved ? [{ frame, depth, ...resolved }] : [];
  });
  const placed = await Promise.all(
    found.slice(0, 2 * MAX_FRAMES).map(async ({ frame, depth, file, isMapped, isCompiled }) => {
      const path = code.filePath(file);
      const lines = (await sources.lines(path)) ?? [];
      const isCertain =
        isMapped ||
        parsePrintedPath(frame.path).package !== null ||
        (frame.path === path && frame.line !== null && !COMMON_FILE.test(path)) ||
        hasPrintedCode(code, file, lines, frame);
      const placed = placeLine(code, file, lines, { ...frame, line: isCompiled ? UNKNOWN_LINE : frame.line });
      return { frame, depth, file, path, isCertain, ...placed };
    }),
  );
  return placed.length > 0 ? dropOtherRoots(placed).slice(0, MAX_FRAMES) : placeNamedClasses(trace, code);
}

/** Classes that the message names, for an error whose frames are all of other programs. */
function placeNamedClasses({ message }: Trace, code: CodeTable): PlacedFrame[] {
  return findNamedClasses(code, message).map(({ name, file }) => ({
    ...{ frame: { path: name, line: null }, depth: -1, file, path: code.filePath(file), line: null },
    ...{ hasMoved: false, isCertain: true, quote: '' },
  }));
}

/** Passages that define a name; more make it generic. */
const MAX_DEFINITIONS = 6;
/** Shorter names may have been made by a minifier. */
const MIN_NAME_LENGTH = 4;

/** The one source file that defines the function of a frame in a bundle of the project's own package. */
function findBundled(code: CodeTable, packages: PackageNames, { path, symbol }: Frame): ResolvedPath | null {
  const installed = parsePrintedPath(path).package;
  const name = symbol?.match(/[\w$]+(?=$|\s\[as )/)?.[0] ?? '';
  if (installed === null || !packages.has(installed.toLowerCase()) || name.length < MIN_NAME_LENGTH)
    return null;
  const passages = code.passagesDefining(name);
  if (passages.length > MAX_DEFINITIONS) return null;
  const files = passages.flatMap((passage) => [...code.passageFiles(passage)]);
  const [file, ...others] = new Set(files.filter((one) => !isNonSource(code.filePath(one))));
  return file === undefined || others.length > 0 ? null : { file, isMapped: false, isCompiled: true };
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

/** True when the file has the printed line of code, or defines the function. */
function hasPrintedCode(code: CodeTable, file: number, lines: string[], frame: Frame): boolean {
  if (frame.text && frame.text.length >= 8) return lines.some((line) => line.trim() === frame.text);
  return frame.symbol !== undefined && definitionIn(code, file, frame.symbol) !== null;
}

/** A line that is empty or a comment for certain; `*p = 1` and `--i` are statements. */
const NO_STATEMENT = /^\s*(?:$|\/\/|\/\*|(?:\*|#|--)(?:\s|$))/;

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
  const passages = frame.symbol ? definitionIn(code, file, frame.symbol) : null;
  const definition = passages && fromHeader(passages, frame.symbol!, lines);
  const isOutside = definition !== null && (frame.line < definition.start || frame.line > definition.end);
  if (definition && (isOutside || NO_STATEMENT.test(lines[frame.line - 1] ?? '')))
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

/** Lines of the definition of a symbol in the file, under its whole name where it has one; null when it is absent. */
function definitionIn(code: CodeTable, file: number, symbol: string): LineSpan | null {
  const name = shortName(symbol);
  const named = code.passagesDefining(name).filter((passage) => code.passageFiles(passage).includes(file));
  if (named.length === 0) return null;
  const whole = named.filter((passage) => code.passageSymbol(passage) === symbol);
  const passages = whole.length > 0 ? whole : named;
  return {
    start: Math.min(...passages.map((passage) => code.passageLines(passage).start)),
    end: Math.max(...passages.map((passage) => definitionEnd(code, file, passage))),
  };
}

/** The lines of a definition from its header on, below the comment about it and what else its passage begins with. */
function fromHeader(definition: LineSpan, symbol: string, lines: string[]): LineSpan {
  const { start, end } = definition;
  const code = lines.slice(start - 1, end).map((text, at) => ({ text, line: start + at }));
  const statements = code.filter(({ text }) => !isCommentLine(text));
  const name = shortName(symbol);
  const header = statements.find(({ text }) => text.includes(name)) ?? statements[0];
  return { start: header?.line ?? start, end };
}

/** `send` of `ServerResponse.send` and `Response#send`. */
function shortName(symbol: string): string {
  return symbol.slice(Math.max(symbol.lastIndexOf('.'), symbol.lastIndexOf('#')) + 1);
}

/** Last line of a definition, which continues in the passages below the one that begins it. */
function definitionEnd(code: CodeTable, file: number, passage: number): number {
  const symbol = code.passageSymbol(passage);
  const { first, count } = code.filePassages(file);
  let last = passage;
  while (symbol !== null && last + 1 < first + count && isPartOf(code.passageSymbol(last + 1), symbol))
    last++;
  return code.passageLines(last).end;
}

function isPartOf(symbol: string | null, outer: string): boolean {
  return symbol !== null && (symbol === outer || symbol.startsWith(`${outer}.`));
}
