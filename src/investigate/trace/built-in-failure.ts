import type { Trace } from './trace.ts';

/** A function of the engine, which has no file: `at JSON.stringify (<anonymous>)`. */
const ENGINE_FRAME = /^\s*at (?:new )?[\w$.]{1,100} \((?:<anonymous>|native)\)$/;
/** A frame of Ruby: its place, and the function as printed. */
const RUBY_FRAME = /^\s*(?:from )?([^\s`'"]{1,400}:\d{1,7}):in [`']([^`']{1,300})'/;
/** Code of the program that is printed at the line of its function. */
const PART_OF_FUNCTION = /^(?:block|rescue|ensure|<)/;

/** True when a function of the language itself failed, called by the innermost frame that has a line of its own. */
export function failsInBuiltIn({ language, lines }: Trace): boolean {
  if (language === 'javascript') return ENGINE_FRAME.test(lines.find((line) => /^\s*at /.test(line)) ?? '');
  if (language !== 'ruby') return false;
  // Ruby prints its own functions at the line of their caller.
  const [inner, outer] = lines.map((line) => RUBY_FRAME.exec(line)).filter((match) => match !== null);
  if (!inner || !outer) return false;
  return inner[1] === outer[1] && inner[2] !== outer[2] && !PART_OF_FUNCTION.test(inner[2]!);
}
