import type { DebugAnswer, Evidence } from '#contract/debug.ts';

/** A frame of the error: in the repository, where `own` names the current line, or of another program. */
export interface AnswerFrame {
  /** Path, line and function as the error prints them. */
  path: string;
  line: number | null;
  symbol: string | null;
  own: FrameRange | null;
}

/** Lines of a file at the indexed commit. */
export interface FrameRange {
  path: string;
  from: number;
  to: number;
}

type PrintedFrame = Omit<AnswerFrame, 'own'>;

const PYTHON = /^\s*File "(?<path>[^"]+)", line (?<line>\d+)(?:, in (?<symbol>.+))?$/;
const AT_SYMBOL = /^\s*at (?:async )?(?<symbol>[^\s(][^(]*?) ?\((?<path>[^()\s]+?):(?<line>\d+)(?::\d+)?\)$/;
const AT_PATH = /^\s*at (?:async )?(?<path>\S+?):(?<line>\d+)(?::\d+)?$/;
const PLAIN_PATH =
  /^\s*(?:from )?(?<path>(?:file:\/\/)?[\w@./\\+~-]+\.\w{1,5}):(?<line>\d+)(?::\d+)?(?::in [`'](?<symbol>[^`']+)'| \+0x[0-9a-f]+)?:?(?:\s|$)/;
const PATTERNS = [PYTHON, AT_SYMBOL, AT_PATH, PLAIN_PATH];

/** Enough for the deepest traces that people paste. */
const MAX_FRAMES = 40;

/** Lists the frames of an error, innermost first, each with its line in the repository where the answer found it. */
export function listFrames(errorText: string, answer: Pick<DebugAnswer, 'evidence'>): AnswerFrame[] {
  const own = answer.evidence.filter(({ kind, path, lines }) => kind === 'frame' && path && lines);
  const used = new Set<Evidence>();
  const frames = parseFrames(errorText).map((frame): AnswerFrame => {
    const match = own.find((item) => !used.has(item) && matches(item, frame));
    if (match) used.add(match);
    return { ...frame, own: match ? rangeOf(match) : null };
  });
  const shown = new Set([...used].map(lineKey));
  const unmatched = own.filter((item) => !shown.has(lineKey(item)) && shown.add(lineKey(item)));
  return [...unmatched.map(toFrame), ...frames];
}

function lineKey({ path, lines }: Evidence): string {
  return `${path}:${lines?.[0]}`;
}

/** The lines that an answer without a frame points at: the line that raises the message, else the first place. */
export function placeRange({
  evidence,
  places,
}: Pick<DebugAnswer, 'evidence' | 'places'>): FrameRange | null {
  const [place] = places;
  const origin = evidence.find(({ kind, path }) => kind === 'origin' && (!place || path === place.path));
  if (origin?.path && origin.lines) return rangeOf(origin);
  return place ? { path: place.path, from: place.start_line, to: place.end_line } : null;
}

/** Frames as printed, innermost first: Python prints the innermost last. */
function parseFrames(text: string): PrintedFrame[] {
  const lines = text.split('\n');
  const frames = lines.flatMap((line) => parseFrame(line) ?? []);
  // Node prints the failing line before the message, without its function.
  const distinct = frames.filter((frame, i) => !isSameLine(frame, frames[i + 1]));
  const isReversed = lines.some((line) => PYTHON.test(line));
  return (isReversed ? distinct.reverse() : distinct).slice(0, MAX_FRAMES);
}

function parseFrame(line: string): PrintedFrame | null {
  if (line.length > 1_000) return null;
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(line)?.groups;
    if (!groups) continue;
    const path = (groups.path ?? '').replace(/^file:\/\//, '').replaceAll('\\', '/');
    return { path, line: Number(groups.line), symbol: groups.symbol?.trim() || null };
  }
  return null;
}

function isSameLine(frame: PrintedFrame, next: PrintedFrame | undefined): boolean {
  return next?.path === frame.path && next.line === frame.line;
}

/** True when a piece of evidence is this printed frame: its path ends alike, and the trace has its line number. */
function matches({ path = '', lines, why }: Evidence, frame: PrintedFrame): boolean {
  const printed = Number(why.params.printed ?? lines?.[0]);
  return printed === frame.line && (endsWithPath(frame.path, path) || endsWithPath(path, frame.path));
}

function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

function rangeOf({ path = '', lines = [1, 1] }: Evidence): FrameRange {
  return { path, from: lines[0], to: lines[1] };
}

function toFrame(item: Evidence): AnswerFrame {
  const own = rangeOf(item);
  const { symbol } = item.why.params;
  return { path: own.path, line: own.from, symbol: symbol === undefined ? null : String(symbol), own };
}
