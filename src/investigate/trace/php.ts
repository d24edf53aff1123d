import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * error = [ `PHP ` ] `Fatal error:  Uncaught Type: message in path.php:12` `Stack trace:` { frame } [ `  thrown in path.php on line 12` ]
 *       | [ `PHP ` ] (`Warning` | `Parse error` | …) `:  message in path.php on line 12`
 * frame = `#0 path.php(34): Cart->add('x')`; PHPUnit: `path.php:12`
 */
const FRAME =
  /^\s*#\d{1,5} (.{1,500}?\.\w{1,6})\((\d{1,7})\): ?(?:([\w\\]{1,200}(?:->|::))?([\w\\{}]{1,200})\()?/;
const PHPUNIT_FRAME = /^((?:\/|[A-Za-z]:\\|[\w.-]{1,100}\/)[^\s:()]{1,400}\.php):(\d{1,7})$/;
const UNCAUGHT =
  /^(?:PHP )?(?:Fatal error:\s{1,4})?(?:Next |Uncaught |\[object\] \()([\w\\]{1,200})(?:\(code: \d{1,9}\))?: (.{0,900}?) (?:in|at) (.{1,400}?\.\w{1,6}):(\d{1,7})\)?$/;
const ENGINE_ERROR =
  /^(?:PHP )?(Fatal error|Parse error|Warning|Notice|Deprecated|Recoverable fatal error):\s{1,4}(.{1,900}?) in (.{1,400}?) on line (\d{1,7})$/;
/** The rest of a message that names a call, and the place: `a.php on line 3 and defined in b.php`, `… and exactly 2 expected in b.php`. */
const CALL = /^(.{1,400}? on line \d{1,7} and .{1,60}?) in (.{1,400})$/;
/** A record of Monolog: `{"exception":"[object] (Type(code: 0): message at path.php:12)`. */
const LOGGED =
  /"exception":\s?"\[object\] \(([\w\\]{1,200})\(code: [\w-]{1,12}\): (.{0,900}?) at (.{1,400}?\.\w{1,6}):(\d{1,7})\)/;
/** Symfony's console: `In Cart.php line 12:`, below it `[Type]` and the message in a box. */
const CONSOLE = /^\s*In (\S{1,400}\.php) line (\d{1,7}):$/;
/** An error in a page. */
const HTML = /^(?:<br ?\/?>)?\s{0,4}<b>[A-Z][\w ]{3,30}<\/b>: /;
/** PHPUnit prints the error above its frames. */
const PHPUNIT_ERROR = /^([A-Z][\w\\]{0,200}(?:Error|Exception|Warning)): (.{1,900})$/;
const ASSERTION = /^(Failed asserting that .{1,900})$/;

/** Parses PHP errors, with chained exceptions, and PHPUnit failures. */
export function parsePhp(lines: string[]): TraceError[] {
  return collectErrors(lines, { header, frame });
}

function header(printed: string, index: number, lines: readonly string[]): TraceError | null {
  const line = HTML.test(printed) ? printed.replace(/<\/?b>|<br ?\/?>/g, '') : printed;
  const thrown = PHPUNIT_ERROR.exec(line);
  if (thrown && lines.slice(index + 1, index + 4).some((below) => PHPUNIT_FRAME.test(below)))
    return { type: thrown[1]!, message: thrown[2]!, frames: [] };
  const boxed = CONSOLE.exec(line);
  if (boxed) {
    const [first = '', second] = lines
      .slice(index + 1, index + 8)
      .map((below) => below.trim())
      .filter(Boolean);
    const type = /^\[([\w\\]{1,200})\]$/.exec(first)?.[1] ?? null;
    const at = { path: normalizePath(boxed[1]!), line: Number(boxed[2]) };
    return { type, message: (type && second) || first, frames: [at] };
  }
  const uncaught =
    UNCAUGHT.exec(line) ??
    LOGGED.exec(line) ??
    ENGINE_ERROR.exec(line) ??
    UNCAUGHT.exec(joinMessage(line, lines.slice(index + 1)));
  if (uncaught) {
    const [, type, message, path, row] = uncaught;
    const [, call, defined] = CALL.exec(path!) ?? [];
    const full = call === undefined ? message! : `${message} in ${call}`;
    return { type: type!, message: full, frames: [placeOf(defined ?? path!, row!)] };
  }
  const asserted = ASSERTION.exec(line)?.[1];
  return asserted ? { type: 'AssertionFailed', message: asserted, frames: [] } : null;
}

/** The first line of an error whose message has several. */
const BEGINNING = /^(?:PHP )?(?:Fatal error:\s{1,4})?Uncaught [\w\\]{1,200}(?:\(code: \d{1,9}\))?: /;
/** The last line of such a message. */
const END_OF_MESSAGE = / in .{1,400}?\.\w{1,6}:\d{1,7}$/;
const MAX_MESSAGE_LINES = 30;

/** An error whose message has several lines as one line, up to the place that follows the message; empty for other lines. */
function joinMessage(line: string, below: readonly string[]): string {
  if (!BEGINNING.test(line)) return '';
  const end = below.slice(0, MAX_MESSAGE_LINES).findIndex((text) => END_OF_MESSAGE.test(text));
  return end < 0 ? '' : [line, ...below.slice(0, end + 1)].join(' ');
}

/** Code that a program evaluates is placed at the call that does: `path.php(12) : eval()'d code`. */
const EVALUATED = /^(.{1,400}?\.\w{1,6})\((\d{1,7})\) : (?:eval\(\)'d code|runtime-created function)/;

function placeOf(path: string, row: string): Frame {
  const [, outer, outerRow] = EVALUATED.exec(path) ?? [];
  return { path: normalizePath(outer ?? path), line: Number(outerRow ?? row) };
}

function frame(line: string): Frame | null {
  const test = PHPUNIT_FRAME.exec(line);
  if (test) return { path: normalizePath(test[1]!), line: Number(test[2]) };
  const match = FRAME.exec(line);
  if (!match) return null;
  const [, path, row, owner, name] = match;
  const type = owner?.replace(/->|::/, '');
  const symbol = name && [type?.slice(type.lastIndexOf('\\') + 1), name].filter(Boolean).join('.');
  return {
    path: normalizePath(path!),
    line: Number(row),
    ...(symbol && !symbol.includes('{') && { symbol }),
  };
}
