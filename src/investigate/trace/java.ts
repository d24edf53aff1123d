import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * error   = [ `Exception in thread "main" ` ] `a.b.Type[: message]` { frame } [ `... 23 more` ] { (`Caused by: ` | `Suppressed: `) error }
 * frame   = `at [loader/][module@1/]a.b.Class.method(File.java:12)`; the package gives the folder of the file
 * javac   = `path.java:12: error: message`; kotlinc: `e: path.kt:12:3 message`
 */
const FRAME =
  /^\s*at (?:[\w.@-]{0,100}\/){0,3}((?:[\w$-]{1,100}\.){1,20})([\w$<>-]{1,150})\(([\w$-]{1,150}\.\w{1,10}):(\d{1,7})\)/;
const HEADER =
  /^\s*(?:Exception in thread "[^"]{0,200}" |Caused by: |Suppressed: |Wrapped by: )?((?:[A-Za-z_$][\w$]{0,80}\.){1,15}[A-Z][\w$]{0,100})(?:: (.*))?$/;
const ERROR_NAME = /(?:Error|Exception|Failure|Failed|Fault|Throwable|Death|Interrupt\w*)$/;
const JAVAC = /^((?:[\w@.+/\\:-]{1,300})\.java):(\d{1,7}): error: (.{1,900})$/;
const KOTLINC = /^e: ([^\s()]{1,300}\.kts?):(?: ?\(?)(\d{1,7})[:,] ?(\d{1,7})\)?:? (.{1,900})$/;

/** Parses traces of Java, Kotlin, Scala and Groovy with their causes, and diagnostics of javac and kotlinc. */
export function parseJava(lines: string[]): TraceError[] {
  return unwrap(collectErrors(lines, { header, frame }));
}

/** Classes of the runtime whose message is only the cause as a text. */
const RUNTIME_CLASS = /^(?:java|javax|kotlin|scala)\./;

/** Moves the cause of an error to the front which a class of the runtime only wraps. */
function unwrap(errors: TraceError[]): TraceError[] {
  const [wrapper, ...causes] = errors;
  if (!RUNTIME_CLASS.test(wrapper?.type ?? '')) return errors;
  const cause = causes.find(
    ({ type, message }) => wrapper!.message === (message ? `${type}: ${message}` : type),
  );
  if (!cause) return errors;
  return [...unwrap([cause, ...causes.filter((one) => one !== cause)]), wrapper!];
}

function header(line: string, index: number, lines: readonly string[]): TraceError | null {
  const compiled = JAVAC.exec(line);
  if (compiled) {
    const at = { path: normalizePath(compiled[1]!), line: Number(compiled[2]) };
    return { type: 'error', message: compiled[3]!, frames: [at] };
  }
  const kotlin = KOTLINC.exec(line);
  if (kotlin) {
    const at = { path: normalizePath(kotlin[1]!), line: Number(kotlin[2]), column: Number(kotlin[3]) };
    return { type: 'error', message: kotlin[4]!, frames: [at] };
  }
  const match = HEADER.exec(line);
  if (!match) return null;
  const [, type, message = ''] = match;
  // Many lines have dots and a colon: an error has a typical name, or a frame follows.
  if (!ERROR_NAME.test(type!) && !FRAME.test(lines[index + 1] ?? '')) return null;
  return { type: type!, message, frames: [] };
}

function frame(line: string): Frame | null {
  const match = FRAME.exec(line);
  if (!match) return null;
  const [, owner, method, file, row] = match;
  const names = owner!.slice(0, -1).split('.');
  // `Cart$Inner$1` is written in `Cart`; `lambda$add$0` is code of `add`.
  const type = names
    .pop()!
    .replace(/\$\$.*$/, '')
    .replace(/\$\d+/g, '')
    .replaceAll('$', '.');
  const own = /^lambda\$(\w+)\$\d+$/.exec(method!)?.[1] ?? method!;
  const name = own === '<init>' ? type.slice(type.lastIndexOf('.') + 1) : own;
  return {
    path: [...names, file].join('/'),
    line: Number(row),
    symbol: name.startsWith('<') ? type : `${type}.${name}`,
  };
}
