import type { Trace } from '../trace/trace.ts';
import type { MessageOrigin } from './message-origin.ts';

/** Lines of a text that are read as messages, and parts of each. */
const MAX_PRINTED = 10;
const MAX_PARTS = 3;
const MAX_MESSAGES = 24;
const MAX_MESSAGE_LINES = 3;
const MAX_LENGTH = 400;
const MIN_LETTERS = 8;
/** Words by which programs report that something failed. */
export const FAILURE =
  /\b(?:error|fatal|fail(?:ed|ure|s)?|panic|bug|exception|warn(?:ing)?|critical|invalid|illegal|unknown|unexpected|unsupported|missing|not|no|cannot|can't|could ?n[o']t|unable|must|refus\w+|reject\w+|denied|bad|wrong|usage|expected|requires?|required|already)\b/i;
/** A status of HTTP with its usual phrase, which every server prints. */
export const HTTP_STATUS =
  /^(?:HTTP\/[\d.]{1,3} |(?:Error|Status|Code):? )?[1-5]\d\d:? [A-Z][A-Za-z'’-]*(?: [A-Z][A-Za-z'’-]*){0,4}\.?$/;
/** A command as typed, a line of code, a frame, a rule of a table, and what only tells that a program ended. */
const COMMAND = /^\s*(?:[\w.@~:/-]{0,40}[$%❯#] |> ?\S|\+ \w|Run )/;
const CODE =
  /[;{]\s*$|^\s*(?:\w+ )?[\w.$[\]"']+\s*(?::=|=)\s*\S|^\s*(?:if|for|while|const|let|var|import|from|use|def|func|function|return|local|my|public|class)\b.*[({=;:]/;
const FRAME = /^\s*(?:at |from |File "|#\d+ )|^\s*[\w./@-]{1,200}\.\w{1,5}:\d+\s*$/;
const END = /^\s*(?:exit(?: status| code)? \d+|make(?:\[\d+\])?: .*|Process exited.*)$/i;
/** A line of a help text: an option and what it does. */
const OPTION = /^--?\w[\w-]*\b.*\s{2,}\S/;
/** A line that says how to learn more, below the message itself. */
const HINT =
  /^(?:for (?:help|more)|(?:use|run|try|see|type|add|pass|re-?run)\b.{0,80}\b(?:help|usage|trace|backtrace|details|information|verbose|debug|docs?))\b/i;
const SENTENCE_END = /(?<=\p{L}{2}[.!?]) (?=\p{Lu})/u;
/** Prefixes of a message: a program, a file with its line, a level, an HTTP status. */
const PREFIX_END = /(?:: |\s[-–|] |\] |\b[1-5]\d\d )/g;

/**
 * Messages that a program may have printed in a text without a trace, likeliest first: lines that speak of a failure, the last ones
 * first, each also in parts and with the lines below.
 */
export function printedMessages(lines: readonly string[]): string[] {
  const printed = lines
    .map((line) => line.trim().replace(/^(?:[|│*•]+|-(?=\s))\s*/, ''))
    .filter((line) => ![COMMAND, FRAME, END, HTTP_STATUS, OPTION].some((pattern) => pattern.test(line)));
  const score = (line: string) => Number(FAILURE.test(line)) - Number(CODE.test(line)) - Number(isHint(line));
  const best = printed
    .map((line, at) => ({ line, at }))
    .filter(({ line }) => countLetters(line) >= MIN_LETTERS && line.length <= MAX_LENGTH)
    .reverse()
    .sort((a, b) => score(b.line) - score(a.line))
    .slice(0, MAX_PRINTED);
  const messages = best.flatMap(({ line, at }) => {
    // A value in a message may have a line end.
    const below = printed
      .slice(at, at + MAX_MESSAGE_LINES)
      .join(' ')
      .slice(0, 2 * MAX_LENGTH);
    return [line, ...partsOf(line), below, ...partsOf(below).slice(0, 1)];
  });
  return [...new Set(messages)].slice(0, MAX_MESSAGES);
}

/** True for a line that only says how to learn more. */
export function isHint(message: string): boolean {
  return HINT.test(message);
}

/** Parts of a line behind its prefixes, and its first sentence. */
function partsOf(line: string): string[] {
  const [sentence = ''] = line.split(SENTENCE_END);
  return Array.from(line.matchAll(PREFIX_END), ({ 0: end, index }) => line.slice(index + end.length).trim())
    .slice(0, MAX_PARTS)
    .concat(sentence)
    .filter((part) => part !== line && countLetters(part) >= MIN_LETTERS);
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Letters and share of a literal by which a line is the message of a text without a trace. */
export const MIN_PRINTED_LETTERS = 11;
const MIN_SHARE = 0.5;
const MIN_WORDS = 2;

/** The trace with the line as its message that a literal of the code words; unchanged where the text has a trace or no such line. */
export function withPrintedMessage(trace: Trace, origins: readonly MessageOrigin[]): Trace {
  if (trace.language !== null) return trace;
  const origin = origins.find(
    ({ share, letters, words }) => share >= MIN_SHARE && letters >= MIN_PRINTED_LETTERS && words >= MIN_WORDS,
  );
  return origin === undefined ? trace : { ...trace, message: origin.message };
}
