import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * panic   = `panic: message` | `http: panic serving 1.2.3.4:5: message` | `fatal error: message` | `WARNING: DATA RACE`, then stacks of goroutines
 * frame   = `pkg.(*Type).Func(args)` or `created by pkg.Func [in goroutine 1]`, below it `⇥path.go:12 [+0x1d]`
 * test    = `--- FAIL: TestX (0.00s)` or `=== RUN   TestX`, below it `    path_test.go:12: message`
 * build   = `path.go:12:3: message`
 */
const PANIC = /^\s*(?:http: )?(panic|fatal error)(?: serving \S{1,60})?: (.{0,900}?)(?: \[recovered\])?$/;
const RACE = /^(?:WARNING: )?DATA RACE$/;
const CALL =
  /^\s*(?:created by )?([^\s(]{1,300}(?:\(\*?[^()\s]{1,100}\)\.[^\s(]{1,200})?)(?:\(.{0,900}\)| in goroutine \d{1,12})?$/;
const FRAME_LOCATION = /^\s*((?:[A-Za-z]:)?[^\s:]{1,500}\.go):(\d{1,7})(?: \+0x[0-9a-f]{1,16})?$/;
const FAILED_TEST = /^\s*--- FAIL: (\S{1,200}) \(/;
const RUNNING_TEST = /^\s*=== RUN\s+(\S{1,200})$/;
const FILE_MESSAGE = /^\s*(?:Error Trace:\s+)?([\w./@+-]{1,300}\.go):(\d{1,7})(?::(\d{1,7}))?: (.{1,900})$/;
const TESTIFY_FRAME = /^\s*(?:Error Trace:)?\s+([\w./@+-]{1,300}\.go):(\d{1,7})$/;

/**
 * Parses panics, races, failed tests and compiler output of Go. Of a dump only the first goroutine is the error's that is not of the
 * library alone, as that of a timer is; the others were only waiting.
 */
export function parseGo(lines: string[]): TraceError[] {
  const starts = lines.flatMap((line, index) => (/^goroutine \d{1,12} \[/.test(line) ? [index] : []));
  const isOwn = (start: number, end: number | undefined) =>
    lines.slice(start, end).some((line) => FRAME_LOCATION.test(line) && !LIBRARY.test(line));
  const own = starts.findIndex((start, at) => isOwn(start, starts[at + 1]));
  const [first = lines.length] = starts;
  const chosen = own < 1 ? first : starts[own]!;
  const end = starts.find((start) => start > chosen) ?? lines.length;
  return collectErrors([...lines.slice(0, first), ...lines.slice(chosen, end)], { header, frame });
}

/** A file of Go's own library, and the program of its test runner. */
const LIBRARY = /\b_testmain\.go:|(?:^|[\s/])(?:go[\w.-]{0,20}|toolchain[^/]*)\/src\/[a-z]/;

function header(line: string, index: number, lines: readonly string[]): TraceError | null {
  const panic = PANIC.exec(line);
  if (panic) return isGo(lines, index) ? { type: panic[1]!, message: panic[2]!, frames: [] } : null;
  if (RACE.test(line)) return { type: 'DATA RACE', message: 'DATA RACE', frames: [] };
  const fileMessage = FILE_MESSAGE.exec(line);
  if (!fileMessage)
    return hasStackBelow(line, index, lines) ? { type: null, message: line, frames: [] } : null;
  const [, path, row, column, message] = fileMessage;
  const at = { path: normalizePath(path!), line: Number(row), ...(column && { column: Number(column) }) };
  const test =
    FAILED_TEST.exec(lines[index - 1] ?? '')?.[1] ?? RUNNING_TEST.exec(lines[index - 1] ?? '')?.[1];
  // A compiler prints the column as well.
  const isLogged = path!.endsWith('_test.go') && !column;
  return {
    type: test || isLogged ? 'FAIL' : 'error',
    message: message!,
    frames: [{ ...at, ...(test && { symbol: test }) }],
  };
}

/** True for the message of an error that is printed with its stack: `fmt.Printf("%+v", err)`, loggers. */
function hasStackBelow(line: string, index: number, lines: readonly string[]): boolean {
  const [above = '', call = '', place = ''] = [lines[index - 1], lines[index + 1], lines[index + 2]];
  const isMessage = /^\S+ \S/.test(line) && !/^goroutine |:$/.test(line) && !FRAME_LOCATION.test(above);
  return isMessage && CALL.test(call) && FRAME_LOCATION.test(place);
}

/** True when a goroutine or a Go file follows; other programs print `panic:` and `fatal error:` too. */
function isGo(lines: readonly string[], index: number): boolean {
  return lines.slice(index, index + 40).some((line) => /^goroutine \d|\.go:\d/.test(line));
}

function frame(line: string, index: number, lines: readonly string[]): Frame | null {
  const place = FRAME_LOCATION.exec(line) ?? TESTIFY_FRAME.exec(line);
  if (!place) return null;
  const call = CALL.exec(lines[index - 1] ?? '')?.[1];
  const symbol = call && symbolOf(call);
  return { path: normalizePath(place[1]!), line: Number(place[2]), ...(symbol && { symbol }) };
}

/** `github.com/a/b/pkg.(*Server[...]).Handle.func1` as `Server.Handle`. */
function symbolOf(call: string): string | undefined {
  const name = call.slice(call.lastIndexOf('/') + 1);
  const [, ...names] = name
    .replace(/\[[^\]]*\]/g, '')
    .replace(/[(*)]/g, '')
    .split('.');
  const sourceNames = names.filter((part) => part !== '' && !/^(?:func)?\d+$|^-fm$/.test(part));
  return sourceNames.length > 0 ? sourceNames.join('.').replace(/-fm$/, '') : undefined;
}
