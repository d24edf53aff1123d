import { normalizePath } from '#investigate/trace/collect-errors.ts';
import { MAX_FRAMES } from '#investigate/trace/trace.ts';
import type { EventFrame } from './error-event.ts';
import { isRecord, toLine, toText } from './json-values.ts';

const MAX_PATH = 1_024;
const MAX_SYMBOL = 300;
/** A minified line may be the whole file. */
const MAX_LINE_TEXT = 400;
const MAX_CONTEXT_LINES = 5;
/** Innermost frames that keep the lines around them. */
const FRAMES_WITH_CONTEXT = 20;
/** Of a deep recursion, the outermost frames. */
const OUTER_FRAMES_LIMIT = 30;

/** Schemes of bundles and servers before a path. */
const SCHEME =
  /^(?:webpack(?:-internal)?:\/\/[^/]*\/|https?:\/\/[^/]{1,200}\/?|rollup:\/\/\/?|vm:\/\/\/?|app:\/\/\/?)/i;

/** Parses the frames of a stack trace as Sentry has it, oldest first, into frames that are innermost first. */
export function parseFrames(value: unknown, platform?: unknown): EventFrame[] {
  if (!Array.isArray(value)) return [];
  const innermost =
    value.length <= MAX_FRAMES
      ? value
      : [...value.slice(0, OUTER_FRAMES_LIMIT), ...value.slice(OUTER_FRAMES_LIMIT - MAX_FRAMES)];
  return innermost
    .filter(isRecord)
    .reverse()
    .map((frame, index) => parseFrame(frame, index < FRAMES_WITH_CONTEXT))
    .map((frame) => (platform === 'java' ? placeInPackage(frame) : frame));
}

function parseFrame(frame: Record<string, unknown>, hasContext: boolean): EventFrame {
  const absPath = toPath(frame.abs_path);
  const file = toPath(frame.filename) ?? absPath;
  const module = toText(frame.module, MAX_SYMBOL);
  const symbol = toText(frame.function, MAX_SYMBOL) ?? toText(frame.raw_function, MAX_SYMBOL);
  return {
    path: file === undefined ? (module ?? toPath(frame.package) ?? '') : trimScheme(file),
    line: toLine(frame.lineno) ?? null,
    column: toLine(frame.colno),
    symbol: symbol === '?' ? undefined : symbol,
    text: toText(frame.context_line, MAX_LINE_TEXT),
    absPath: absPath === file && trimScheme(file ?? '') === file ? undefined : (absPath ?? file),
    module: file === undefined ? undefined : module,
    inApp: typeof frame.in_app === 'boolean' ? frame.in_app : undefined,
    before: hasContext ? toLines(frame.pre_context, -MAX_CONTEXT_LINES) : undefined,
    after: hasContext ? toLines(frame.post_context, 0, MAX_CONTEXT_LINES) : undefined,
  };
}

/** A path or URL without query and fragment, which may hold keys. */
function toPath(value: unknown): string | undefined {
  return toText(value, MAX_PATH)?.replace(/(?<=.)[?#].*$/s, '');
}

/** Removes scheme and host, and turns the rest into the form of git. */
function trimScheme(path: string): string {
  return normalizePath(path.replace(SCHEME, '')) || path;
}

function toLines(value: unknown, ...range: [number, number?]): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.slice(...range).map((line) => toText(line, MAX_LINE_TEXT) ?? '');
}

/** Adds the folder of the package and the class, since frames of the JVM name the bare file: `com/shop/Cart.java`, `Cart.add`. */
function placeInPackage({ path, symbol, ...frame }: EventFrame): EventFrame {
  const { module } = frame;
  if (module === undefined || path.includes('/') || path === module) return { ...frame, path, symbol };
  const names = module.split('.');
  const type = names.pop()!.replace(/\$.*$/s, '');
  return { ...frame, path: [...names, path].join('/'), symbol: symbol && `${type}.${symbol}` };
}
