import { createHash } from 'node:crypto';
import { errorFingerprint } from '#investigate/trace/fingerprint.ts';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import type { Trace } from '#investigate/trace/trace.ts';
import type { ErrorEvent } from './error-event.ts';
import {
  type NormalizedError,
  type NormalizedFrame,
  normalizeEvent,
  normalizeTrace,
} from './normalized-error.ts';

/** Frames of a fingerprint at most. */
const MAX_FRAMES = 4;

/**
 * Functions that many places call: assertions, parsers of input, wrappers and generic verbs. The fault is in one of their callers, so that the
 * next frame belongs to the fingerprint as well.
 */
const SHARED_FUNCTION =
  /^(?:_*assert.*|_*(?:check|require|ensure|throw|raise|must|fail|verify|invariant|panic|die|abort|expect|unwrap|reject|bail)(?:_.*)?|_*parse.*|_*(?:request|fetch|get|post|put|delete|query|execute|exec|send|call|invoke|run|dispatch|apply|emit|next|handle|process|wrap|wrapped|wrapper|inner|retry|log|warn|error|__call__|__getattr__|__getitem__|perform|init|constructor|<init>))$/;

/** Errors of endless recursion: at which function of the cycle the stack ends is chance. */
const RECURSION =
  /^(?:recursionerror|stackoverflowerror|stackoverflowexception|systemstackerror|internalerror)$/;

/** Fingerprint of an event in 32 hexadecimal digits: the SDK's, if it sets one, else ours. */
export function eventFingerprint(event: ErrorEvent): string {
  const own = normalizeEvent(event);
  const { fingerprint } = event;
  const isDefault = fingerprint?.every((part) => DEFAULT.test(part)) ?? true;
  if (!fingerprint || isDefault) return digest(fingerprintParts(own));
  return digest(['sdk', ...fingerprint.map((part) => expandVariables(part, event, own))]);
}

/** Fingerprint of an error text, and the ones that older versions computed for it. */
export function textFingerprint(text: string | Trace): { key: string; formerKeys: string[] } {
  const trace = typeof text === 'string' ? parseTrace(text) : text;
  return { key: digest(fingerprintParts(normalizeTrace(trace))), formerKeys: [errorFingerprint(trace)] };
}

function digest(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Type and places of an error; its message where no place is known. */
function fingerprintParts(error: NormalizedError): string[] {
  const { type, frames, recursion, message, constraint } = error;
  // Without places, words distinguish an error from a logged text.
  if (frames.length === 0)
    return [type === null || type === 'error' || KNOWN.test(message) ? '' : type, message];
  const isRecursion = type !== null && (RECURSION.test(type) || /^maximum call stack size/.test(message));
  const cycle = recursion.length > 0 ? recursion : frames;
  const places = isRecursion ? cycle.map(placeOf).sort() : selectPlaces(error).map(placeOf);
  const kind = isRecursion ? 'recursion' : (type ?? '');
  return [kind, ...(constraint ? [constraint] : []), ...places.slice(0, MAX_FRAMES)];
}

/** Failures that types name differently. */
const KNOWN = /^(?:chunk not loaded|connection closed by peer)$/;
/** Refusals of an argument: the fault is in the caller. */
const BAD_ARGUMENT =
  /argument #|must be of (?:the )?type|too few arguments|positional argument|unexpected keyword argument/;
/** Types by which a function of the application refuses an argument. */
const ARGUMENT_TYPE = /^(?:illegalargument|invalidargument|argument(?:null|outofrange)?)(?:exception|error)$/;
/** Types that the runtime raises for a statement of the innermost function: the fault is there, not in a caller. */
const STATEMENT_TYPE =
  /^(?:typeerror|referenceerror|attributeerror|keyerror|indexerror|nameerror|nomethoderror|zerodivisionerror|unboundlocalerror|nullpointerexception|nullreferenceexception|classcastexception|arrayindexoutofboundsexception|indexoutofrangeexception|keynotfoundexception|dividebyzeroexception|arithmeticexception|errorexception|panic)$/;

function placeOf({ file, name }: NormalizedFrame): string {
  return `${file} ${name ?? ''}`;
}

/** Frames up to the first that tells one fault from another: a named function that is not shared by many callers. */
function selectPlaces({ type, frames, isRaisedInApp, message }: NormalizedError): NormalizedFrame[] {
  const isOwnStatement = isRaisedInApp && STATEMENT_TYPE.test(type ?? '') && !BAD_ARGUMENT.test(message);
  const isRefusal = BAD_ARGUMENT.test(message) || (isRaisedInApp && ARGUMENT_TYPE.test(type ?? ''));
  const end = frames.findIndex(
    ({ name }) => name !== null && (isOwnStatement || !SHARED_FUNCTION.test(name)),
  );
  return frames.slice(0, end < 0 ? MAX_FRAMES : end + (isRefusal ? 2 : 1));
}

const DEFAULT = /^\s*\{\{\s*default\s*\}\}\s*$/i;

/** Values of the variables that an SDK's fingerprint may contain. */
function expandVariables(part: string, event: ErrorEvent, own: NormalizedError): string {
  return part.replace(/\{\{\s*([\w.-]{1,60})\s*\}\}/g, (whole, name: string) => {
    const variables: Record<string, string | undefined> = {
      default: fingerprintParts(own).join('\n'),
      type: own.type ?? '',
      'error.type': own.type ?? '',
      message: own.message,
      'error.value': own.message,
      transaction: event.transaction,
      level: event.level,
      logger: event.logger,
      function: own.frames[0]?.name ?? '',
      'stack.function': own.frames[0]?.name ?? '',
      package: own.frames[0]?.file,
      module: own.frames[0]?.file,
    };
    return variables[name] ?? (name.startsWith('tags.') ? event.tags[name.slice(5)] : undefined) ?? whole;
  });
}
