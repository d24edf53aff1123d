import type { CallingFrame } from '../guard/find-guard.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { parsePrintedPath } from '../locate/printed-path.ts';
import { sigmoid } from '../locate/softmax.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { RankedSuspect } from '../suspects/rank-suspects.ts';
import type { Trace } from '../trace/trace.ts';

/** Signs that an unguarded error is the caller's, each 0 or 1 unless stated. */
export interface CallerEvidence {
  /** Frames outside the repository call in, or the project is installed as a package. */
  isCalledFromOutside: number;
  /** Code outside the repository failed, called back by the project. */
  failedOutside: number;
  /** The failing line uses a parameter of its function. */
  usesParameter: number;
  /** The message names a type or signature that the caller chose. */
  isTypeMismatch: number;
  /** The project composed code that does not parse. */
  isGenerated: number;
  /** Changes of the failing lines, from 0 for old to 1 for today's. */
  recency: number;
  probability: number;
  /** The innermost frame outside the repository that called in. */
  callingFrame: CallingFrame | null;
}

/** Days after which half of the suspicion against a change is gone. */
const HALF_LIFE_DAYS = 90;
/** Lines above the failing one in which its function's header is looked for. */
const MAX_FUNCTION_LINES = 120;
const TYPE_MISMATCH =
  /'(?:function|int|str|float|bool|list|dict|tuple|type|method|builtin_function_or_method|module|bytes)' object|takes (?:from )?\d+(?: to \d+)? positional arguments?|missing \d+ required|unexpected keyword argument|is not a function|is not a constructor|is not iterable|must be (?:a|an|of type|str|int)\b|arg(?:ument)? \d must be|name '\w+' is not defined|cannot be cast to|no implicit conversion|Headers? (?:already|.*after they are) sent/i;

interface CallerInput {
  trace: Trace;
  frames: PlacedFrame[];
  owners: FrameOwner[];
  sources: SourceReader;
  blamed: Map<number, BlamedCommit>;
  /** Best first. */
  suspects: RankedSuspect[];
  /** Seconds since 1970 of a commit. */
  timeOf(commit: number): number;
  /** Time of the newest commit in seconds since 1970. */
  newest: number;
}

/** Weighs the signs that the caller misused the project against those of a defect. */
export async function weighCallerEvidence(input: CallerInput): Promise<CallerEvidence> {
  const { trace, frames, owners } = input;
  const own = frames.filter(({ depth, line }) => line !== null && owners[depth] === 'project');
  const [failing] = own;
  const isOutside = (owner: FrameOwner) => owner === 'outside';
  const evidence = {
    isCalledFromOutside: Number(
      failing !== undefined &&
        (owners.slice(failing.depth + 1).some(isOutside) ||
          parsePrintedPath(failing.frame.path).package !== null),
    ),
    failedOutside: Number(failing !== undefined && owners.slice(0, failing.depth).some(isOutside)),
    usesParameter: Number(failing !== undefined && (await usesParameter(failing, input.sources))),
    isGenerated: Number(/SyntaxError|invalid syntax/i.test(`${trace.errorType}: ${trace.message}`)),
    isTypeMismatch: Number(TYPE_MISMATCH.test(`${trace.errorType}: ${trace.message}`)),
    recency: recencyOf(failing, input),
  };
  const { isCalledFromOutside, failedOutside, isTypeMismatch, recency } = evidence;
  const sum =
    -1 +
    1.5 * isCalledFromOutside -
    2.5 * failedOutside +
    0.8 * evidence.usesParameter +
    0.8 * isTypeMismatch -
    2.5 * evidence.isGenerated -
    5 * recency;
  const outside = failing && trace.frames.find((_, at) => at > failing.depth && owners[at] === 'outside');
  const callingFrame = outside ? { frame: outside, isInRepository: false } : null;
  return { ...evidence, callingFrame, probability: isCalledFromOutside || isTypeMismatch ? sigmoid(sum) : 0 };
}

/** Recency of the failing line's last change, and of the first suspect weighted by its probability. */
function recencyOf(
  failing: PlacedFrame | undefined,
  { blamed, suspects, timeOf, newest }: CallerInput,
): number {
  const decay = (commit: number) => 0.5 ** (Math.max(0, newest - timeOf(commit)) / 86_400 / HALF_LIFE_DAYS);
  const exact = [...blamed]
    .filter(
      ([, { path, line, isExactLine }]) => isExactLine && path === failing?.path && line === failing.line,
    )
    .map(([commit]) => decay(commit));
  const [suspect] = suspects;
  return Math.max(0, ...exact, suspect?.blame ? suspect.score * decay(suspect.commit) : 0);
}

/** True when the failing line uses a parameter of the function around it. */
async function usesParameter({ path, line }: PlacedFrame, sources: SourceReader): Promise<boolean> {
  const lines = (await sources.lines(path)) ?? [];
  const text = lines[line! - 1] ?? '';
  return parametersAbove(lines, line!).some((name) => new RegExp(`(?<![\\w.])${name}\\b`).test(text));
}

const HEADER =
  /^\s*(?:(?:export|default|public|private|protected|static|async|pub|final|override)\s+)*(?:def|function\*?|func|fn)\s*(?:\([^)]*\)\s*)?[\w$.!?]*\s*\(([^)]*)\)?|^\s*[\w$.]+\s*[:=]\s*(?:async\s+)?function\s*[\w$]*\s*\(([^)]*)\)|^\s{2,}(?:async\s+|static\s+)?(?!if|for|while|switch|catch|return)[\w$]+\(([^)]*)\)\s*\{\s*$/;

function parametersAbove(lines: readonly string[], line: number): string[] {
  for (let at = line - 1; at >= Math.max(1, line - MAX_FUNCTION_LINES); at--) {
    const match = HEADER.exec(lines[at - 1]!);
    if (!match) continue;
    const inline = match[1] ?? match[2] ?? match[3] ?? '';
    const below = inline.trim() === '' ? lines.slice(at, Math.min(at + 12, line - 1)).join(' ') : inline;
    return [...below.matchAll(/(?:^|[,{(*&]\s*|\s)([A-Za-z_$][\w$]*)(?=\s*(?:[:,=)}?]|$))/g)]
      .map(([, name]) => name!)
      .filter((name) => !['self', 'cls', 'this', 'None', 'True', 'False'].includes(name));
  }
  return [];
}
