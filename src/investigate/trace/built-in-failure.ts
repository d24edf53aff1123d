import type { Trace } from './trace.ts';

/** A function of the engine, which has no file: `at JSON.stringify (<anonymous>)`. */
const ENGINE_FRAME = /^\s*at (?:new )?[\w$.]{1,100} \((?:<anonymous>|native)\)$/;
/** A frame of Ruby: its place, and the function as printed. */
const RUBY_FRAME = /^\s*(?:from )?([^\s`'"]{1,400}:\d{1,7}):in [`']([^`']{1,300})'/;
/** Code of the program that is printed at the line of its function. */
const PART_OF_FUNCTION = /^(?:block|rescue|ensure|<)/;
/** The first frame of a trace of Java or .NET: its class. */
const VIRTUAL_MACHINE_FRAME = /^\s*at (?:[\w.@-]{0,100}\/){0,3}([\w$.<>`]{1,300})\(/;
const VIRTUAL_MACHINE = /^(?:java|javax|jdk|sun|com\.sun|kotlin|scala|groovy\.lang|System|Microsoft)\./;
/** A file of Go's own library, other than the runtime that reports every panic. */
const GO_LIBRARY = /(?:^|\/)(?:go[\w.-]{0,20}|toolchain[^/]*)\/src\/(?!runtime\/)[a-z][\w/]{0,60}\.go:\d/;
const GO_FILE = /\.go:\d{1,7}(?: \+0x[0-9a-f]+)?$/;
/** Place of the error as PHP prints it, and the first call of its trace: path, line and function. */
const PHP_PLACE = / in ([^\s:]{1,400}\.php)(?::| on line )(\d{1,7})$/;
const PHP_CALL = /^\s*#0 (.{1,400}?\.php)\((\d{1,7})\): ([\w\\]{1,200}(?:->|::)?\w*)\(/;

/** A function of C that a sanitizer calls in its place. */
const INTERCEPTED = /^\s*#0 0x[0-9a-f]{1,16} in _{2,3}interceptor_(\w{1,100})/;

/** True when a function of the language itself failed, called by the innermost frame that has a line of its own. */
export function failsInBuiltIn({ language, lines }: Trace): boolean {
  switch (language) {
    case 'javascript':
      return ENGINE_FRAME.test(lines.find((line) => /^\s*at /.test(line)) ?? '');
    case 'java':
    case 'csharp':
      return VIRTUAL_MACHINE.test(firstMatch(lines, VIRTUAL_MACHINE_FRAME)?.[1] ?? '');
    case 'go':
      return GO_LIBRARY.test(
        lines.find((line) => GO_FILE.test(line) && !/\/src\/runtime\//.test(line)) ?? '',
      );
    case 'php':
    case 'ruby':
      return builtInAtLine({ language, lines }) !== null;
    default:
      return false;
  }
}

/** Name of the function of the language that failed, where the runtime prints it at the line of its caller; else null. */
export function builtInAtLine({ language, lines }: Pick<Trace, 'language' | 'lines'>): string | null {
  if (language === 'php') return phpFunction(lines);
  if (language === 'c') return firstMatch(lines, INTERCEPTED)?.[1] ?? null;
  return language === 'ruby' ? rubyFunction(lines) : null;
}

/** Ruby prints its own functions at the line of their caller. */
function rubyFunction(lines: readonly string[]): string | null {
  const [inner, outer] = lines.map((line) => RUBY_FRAME.exec(line)).filter((match) => match !== null);
  if (!inner || !outer || inner[1] !== outer[1] || inner[2] === outer[2]) return null;
  return PART_OF_FUNCTION.test(inner[2]!) ? null : inner[2]!.split(/[.#]/).at(-1)!;
}

/** PHP prints the call of its own function as the first frame, at the very place of the error. */
function phpFunction(lines: readonly string[]): string | null {
  const place = firstMatch(lines, PHP_PLACE);
  const call = firstMatch(lines, PHP_CALL);
  if (!place || !call || place[1] !== call[1] || place[2] !== call[2]) return null;
  return call[3]!.split(/->|::|\\/).at(-1)!;
}

function firstMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | null {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match) return match;
  }
  return null;
}
