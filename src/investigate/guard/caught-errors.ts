import type { FrameOwner } from '../locate/frame-owners.ts';
import type { Trace } from '../trace/trace.ts';
import type { FoundGuard } from './find-guard.ts';

/** A handler of any error. */
const CATCH_ALL =
  /^(?:catch \((?:\\?(?:Exception|Throwable|Error)\b|\w+\)|.*\.\.\.)|rescue(?:\s*=>|\s*$|\s+(?:StandardError|Exception)\b)|except(?:\s*$|\s+(?:Base)?Exception\b))/;
/** Words of the runtimes about a value that a program computed. */
const COMPUTED =
  /Undefined (?:array key|index|offset|variable|property)|Call to a member function|Cannot read propert|object has no attribute|undefined method [`']|is not a function\b|nil pointer dereference|index out of (?:range|bounds)|NullPointerException|Cannot invoke "|[Dd]ivision by zero/;

/** True for a handler of any error that only reports what the runtime raised, which is no error on purpose. */
export function reportsCaught({ condition }: { condition: string }, { lines, language }: Trace): boolean {
  return (
    language === null && CATCH_ALL.test(condition) && COMPUTED.test(lines.join(' ').replace(/[\s|]+/g, ' '))
  );
}

/** Errors of the runtimes that no program raises or catches to decide by, other than those of Python, where a handler asks in this way. */
const MISTAKE =
  /NullPointerException|NullReferenceException|ArithmeticException|OutOfBoundsException|ClassCastException|Cannot read propert|nil pointer dereference/;

/** True for a statement that only wraps what the runtime raised in a line of the project: the innermost cause of a trace. */
export function wrapsMistake(
  { frame }: FoundGuard,
  { related, frames }: Trace,
  owners: readonly FrameOwner[],
): boolean {
  const cause = related.at(-1);
  if (!cause || !frame || !MISTAKE.test(`${cause.type}: ${cause.message}`)) return false;
  const owner = cause.frames
    .map((one) => owners[frames.indexOf(one)])
    .find((one) => one !== undefined && one !== 'runtime');
  return owner === 'project' && !cause.frames.includes(frame.frame);
}
