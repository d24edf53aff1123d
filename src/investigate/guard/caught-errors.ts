import type { Trace } from '../trace/trace.ts';

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
