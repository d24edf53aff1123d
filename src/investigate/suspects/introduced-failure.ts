import type { FileDiff, Hunk } from '#contract/projects.ts';
import { namesOnLine } from '../changed/line-expectation.ts';
import { hasSameNames, removesCheck } from '../changed/line-succession.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { builtInAtLine } from '../trace/built-in-failure.ts';
import { receiversOf } from '../trace/lacked-member.ts';
import { RECURSION } from '../trace/recursion.ts';
import type { Trace } from '../trace/trace.ts';

/** A value that has no elements, or too few. */
const SUBSCRIPT =
  /object is not subscriptable|undefined method [`']\[\]'|\(reading '\d+'\)|(?:index|slice bounds) out of (?:range|bounds)|Trying to access array offset/;
/** A function of the runtime that names itself before its complaint: `preg_replace(): Argument #3 must be …`. */
const FUNCTION_IN_MESSAGE = /^(?:\w{1,100}(?:::|\.|\\|->)){0,5}(\w{1,100})\(\)/;
/** Words of a line that checks a value. */
const CHECK = /\b(?:if|unless|elif|elsif|when|guard|assert|isset|empty|defined)\b|\?|&&|\|\|/;

/** A member of what a call returns, whose arguments have one level of parentheses at most. */
const CALL_RESULT = /([\w$]+)\((?:[^()]|\([^()]*\))*\)(?:\?|&)?\.([\w$]+)/g;

/** A line that fails, with the frame that names it. */
export type FailingLine = Pick<PlacedFrame, 'path' | 'depth' | 'quote'> & {
  frame: Pick<PlacedFrame['frame'], 'symbol'>;
  /** Text of the message in the line, of an error that prints no frame. */
  literal?: string | undefined;
  /** True where the commit moved the line from another file, or restored it. */
  isOlder?: boolean;
};

/**
 * True when a commit introduced what failed: it added the failing line, and what failed there is in none of the lines that it
 * deleted from the file; or it removed a check or a default of the value. A line that was moved, wrapped or rewritten around the same call
 * failed before as well, as did one that is older than the commit.
 */
export function introducesFailure(hunks: readonly Hunk[], failing: FailingLine, trace: Trace): boolean {
  const { quote, literal, isOlder = false } = failing;
  const line = normalize(quote);
  const addedLines = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'add'));
  const added = new Set(addedLines.map(({ text }) => normalize(text)));
  const deleted = hunks.flatMap(deletedLines);
  const elements = SUBSCRIPT.test(trace.message) ? (line.match(/[\w$.@]+\[/g) ?? []) : [];
  const names = failedNames(failing, trace);
  const receivers = derivedReceivers(line, names);
  const wasThere = (text: string) =>
    elements.some((element) => normalize(text).includes(element)) ||
    (literal !== undefined && text.includes(literal)) ||
    (names.length > 0 ? hasAny(text, names) && hasAny(text, receivers, true) : hasSameNames(text, quote));
  const isAdded = added.has(line);
  if (isAdded ? !isOlder && !deleted.some(wasThere) : hunks.some((hunk) => removesCheck(quote, hunk)))
    return true;
  const arrays = elements.flatMap((element) => wordsOf(element)[0] ?? []);
  const values = [...arrays, ...receiversOf(line, names)];
  const removed = isAdded ? deleted : hunks.filter((hunk) => hasLine(hunk, line)).flatMap(deletedLines);
  return removed.some(
    (text) =>
      CHECK.test(text) && !added.has(normalize(text)) && (hasAny(text, values) || checksAccess(text, names)),
  );
}

/** True when a commit deleted the failing line from one of the files: it moved it. */
export function deletesLine(files: readonly FileDiff[], { quote }: FailingLine): boolean {
  const line = normalize(quote);
  return files.some(({ hunks }) => hunks.flatMap(deletedLines).some((text) => normalize(text) === line));
}

/** True for a hunk around a line: another part of the file checks another value of the same name. */
function hasLine({ lines }: Hunk, line: string): boolean {
  return lines.some(({ kind, text }) => kind !== 'delete' && normalize(text) === line);
}

function deletedLines({ lines }: Hunk): string[] {
  return lines.filter(({ kind }) => kind === 'delete').map(({ text }) => text);
}

/** True where a line has one of the words; `whenNone` where there are none. */
function hasAny(text: string, words: readonly string[], whenNone = false): boolean {
  return words.length === 0 ? whenNone : wordsOf(text).some((word) => words.includes(word));
}

/**
 * Receivers that are members or results themselves: `account` in `customer.account.tier`, `find` in `find(id).tier`. A line without
 * them, such as `customer.tier`, read from another value; a variable may only have another name there.
 */
function derivedReceivers(line: string, names: readonly string[]): string[] {
  const members = receiversOf(line, names).filter((receiver) =>
    ['.', '?.', '&.'].some((access) => line.includes(`.${receiver}${access}`)),
  );
  const results = Array.from(line.matchAll(CALL_RESULT)).flatMap(([, called, member]) =>
    names.includes(member!) ? [called!] : [],
  );
  return [...members, ...results];
}

/** True for a line that accesses a member of a value which it checks: `entry ? entry.cents : 0`. */
function checksAccess(text: string, names: readonly string[]): boolean {
  return receiversOf(normalize(text), names).some(
    (receiver) => wordsOf(text).filter((word) => word === receiver).length > 1,
  );
}

/** Names of what failed on the line: the function that it called, the member or name that was absent. */
function failedNames({ depth, quote, frame }: FailingLine, trace: Trace): string[] {
  const called = FUNCTION_IN_MESSAGE.exec(trace.message)?.[1];
  // Of a function that calls itself without end, the call is what fails.
  const itself = RECURSION.test(trace.message) ? frame.symbol?.split(/[.#:>\\]+/).at(-1) : undefined;
  const names = [...namesOnLine(trace, depth, true), builtInAtLine(trace), called, itself];
  const words = wordsOf(quote);
  return names.filter((name) => typeof name === 'string' && words.includes(name)) as string[];
}

/** Code without the spaces around its signs. */
const normalize = (text: string) => text.trim().replace(/\s*([^\w\s$@])\s*/g, '$1');
const wordsOf = (text: string): string[] => text.match(/[\w$@]+/g) ?? [];
