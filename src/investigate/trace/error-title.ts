import { firstLine } from '#contract/first-line.ts';
import type { Trace } from './trace.ts';

const MAX_TITLE_LENGTH = 300;
/** Lines of a message that are read for its title, and characters of each. */
const MAX_LINES = 60;
const MAX_LINE_LENGTH = 1_000;

/** First lines that introduce the next: `Invalid … invocation:`, `2 errors occurred:`. */
const HEADING = /:$|(?<=\binvocation) in$/;
/** First lines without the reason: a command that failed, or a bracket. */
const NO_REASON = /^Command failed\b|^[^\p{L}\p{N}]*$/u;
/** Messages of errors that stand for others. */
const SEVERAL_ERRORS =
  /^(?:AggregateError\b.*|All promises were rejected|unhandled errors in a TaskGroup\b.*|multiple (?:errors|exceptions)\b.*)?$/i;
/** Lines without words, of stacks, code frames, places and legends of differences. */
const NO_WORDS =
  /^[^\p{L}\p{N}]*$|^\s*at |^\s*File "|^\s+\d+(?:\s|$)|^\s*[→>]|^\s*\S+:\d+:\d+$|^\s*[+-] (?:actual|expected)/u;
/** The first issue of a list in JSON, as Zod prints it. */
const ISSUE_MESSAGE = /"message":\s*"((?:[^"\\]|\\.){1,300})"/;
const ISSUE_PATH = /"path":\s*\[([^[\]{}]{0,300})\]/;

/** Title of an error in lists: its type and the first line of its message that says something. */
export function errorTitle(trace: Trace): string {
  const { errorType, lines, related } = trace;
  const printed = firstLine(trace.message.trim()).trim();
  if (printed === '')
    return (errorType ?? firstLine(lines.join('\n').trim()).trim()).slice(0, MAX_TITLE_LENGTH);
  const at = lines.findIndex((line) => line.includes(printed) && line.includes(errorType ?? ''));
  const below = at < 0 ? [] : lines.slice(at + 1);
  const message = messageTitle([printed, ...below].join('\n'), related[0]?.message);
  const hasType = errorType === null || message.startsWith(errorType);
  return (hasType ? message : `${errorType}: ${message}`).slice(0, MAX_TITLE_LENGTH);
}

/**
 * The first line of a message. One that only introduces what follows takes the next informative line, and that of an error which
 * stands for others the message of the first of them.
 */
export function messageTitle(message: string, inner?: string | null): string {
  const lines = message.trim().split('\n', MAX_LINES);
  const [line = '', ...below] = lines.map((one) => one.slice(0, MAX_LINE_LENGTH).trimEnd());
  const within = firstLine(inner?.trim() ?? '').trim() || undefined;
  if (SEVERAL_ERRORS.test(line) && within !== undefined)
    return line.startsWith('AggregateError') ? `AggregateError: ${within}` : within;
  const isHeading = HEADING.test(line);
  if (!isHeading && !NO_REASON.test(line)) return line;
  const next = issueOf(below) ?? below.find((one) => !NO_WORDS.test(one)) ?? within;
  if (next === undefined) return line;
  const reason = next.trim().replace(/^(?:[*•-] |Error: )/, '');
  return isHeading ? `${line.replace(HEADING, '')}: ${reason}` : reason;
}

/** Path and message of the first issue of a list in JSON: `user.email: Required`. */
function issueOf(lines: string[]): string | undefined {
  const text = lines.join('\n');
  const [, message] = ISSUE_MESSAGE.exec(text) ?? [];
  if (message === undefined) return undefined;
  const path = ISSUE_PATH.exec(text)?.[1]?.match(/\w+/g)?.join('.');
  return [path, message.replace(/\\(["\\])/g, '$1')].filter(Boolean).join(': ');
}
