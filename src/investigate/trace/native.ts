import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * compiler  = `path:12[:3]: [fatal ]error: message`; linker: `path:12: undefined reference to …`
 * sanitizer = `==7==ERROR: AddressSanitizer: kind on …`, `WARNING: ThreadSanitizer: data race`, `path:12:3: runtime error: …`
 * frame     = `#0 [0x4f in ]function[(…)] [at ]path:12[:3]`, valgrind: `==7==    at 0x4: function (path:12)`
 * assertion = `program: path:12: function: Assertion … failed.` | `Assertion failed: …, [function f, ]file path, line 12`
 * MSVC      = `path(12[,3]): [fatal ]error C2065: message`; GoogleTest: `path:12: Failure`, below it the message
 */
const SOURCE = String.raw`[\w./\\@+~-]{1,400}\.(?:[ch]|cc|cpp|cxx|c\+\+|hh|hpp|hxx|inl|ipp|mm?|cu|swift|S)`;
const COMPILER = new RegExp(
  String.raw`^(${SOURCE}):(\d{1,7}):(?:(\d{1,7}):)? (fatal error|error|runtime error): (.{1,900})$`,
);
const LINKER = new RegExp(String.raw`(${SOURCE}):(\d{1,7}): (undefined reference to .{1,400})$`);
const SANITIZER =
  /^(?:==\d{1,10}==)?\s?(?:ERROR: |WARNING: )?(AddressSanitizer|LeakSanitizer|MemorySanitizer|ThreadSanitizer|UndefinedBehaviorSanitizer|HWAddressSanitizer):? (.{1,900})$/;
const ASSERTION = new RegExp(
  String.raw`^(?:[\w./-]{1,200}: )?(${SOURCE}):(\d{1,7}): (?:([^:\n]{1,300}): )?(Assertion .{1,800})$`,
);
const OTHER_ASSERTION = new RegExp(
  String.raw`^Assertion failed: (.{1,400}?), (?:function (\S{1,200}), )?file (${SOURCE}), line (\d{1,7})`,
);
const MSVC = new RegExp(
  String.raw`^((?:[A-Za-z]:)?${SOURCE})\((\d{1,7})(?:,\d{1,7})?\): (?:fatal )?error ([A-Z]{1,4}\d{4}): (.{1,900})$`,
);
const GOOGLE_TEST = new RegExp(String.raw`^(${SOURCE}):(\d{1,7}): Failure$`);
const SIGNAL =
  /^(?:Program|Thread .{1,80}) received signal (SIG[A-Z]{2,6}), (.{1,100})$|^(Segmentation fault|Aborted|Bus error|Illegal instruction)\b.{0,60}$/;
const VALGRIND_ERROR =
  /^==\d{1,10}== (Invalid (?:read|write|free)[^=]{0,100}|Conditional jump .{1,100}|Use of uninitialised .{1,80}|Process terminating .{1,100})$/;
const NUMBERED_FRAME = /^\s*#\d{1,5}\s+(?:0x[0-9a-f]{1,16} )?(?:in )?(\S.{0,900})$/;
const FRAME_LOCATION = new RegExp(
  String.raw`^(.{0,600}?)(?: at)? (${SOURCE}):(\d{1,7})(?::(\d{1,7}))?(?: \(.{1,300})?$`,
);
const VALGRIND_FRAME = new RegExp(
  String.raw`^==\d{1,10}==\s{1,8}(?:at|by) 0x[0-9A-Fa-f]{1,16}: (.{1,300}?) \((${SOURCE}):(\d{1,7})\)$`,
);

/** Parses output of compilers, linkers, debuggers and sanitizers for C, C++, Objective-C and Swift. */
export function parseNative(lines: string[]): TraceError[] {
  return collectErrors(lines, { header, frame });
}

function header(line: string, index: number, lines: readonly string[]): TraceError | null {
  const [, path, row, code, message] = MSVC.exec(line) ?? [];
  if (path)
    return { type: code!, message: message!, frames: [{ path: normalizePath(path), line: Number(row) }] };
  const [, test, testRow] = GOOGLE_TEST.exec(line) ?? [];
  if (test) {
    const frames = [{ path: normalizePath(test), line: Number(testRow) }];
    return {
      type: 'Failure',
      message: lines
        .slice(index + 1, index + 5)
        .join(' ')
        .trim(),
      frames,
    };
  }
  return compiledOrAsserted(line);
}

function compiledOrAsserted(line: string): TraceError | null {
  const compiled = COMPILER.exec(line);
  if (compiled) {
    const [, path, row, column, type, message] = compiled;
    const at = { path: normalizePath(path!), line: Number(row), ...(column && { column: Number(column) }) };
    return { type: type!, message: message!, frames: [at] };
  }
  const asserted = ASSERTION.exec(line);
  if (asserted) {
    const [, path, row, name, message] = asserted;
    const symbol = name && symbolOf(name);
    const at = { path: normalizePath(path!), line: Number(row), ...(symbol && { symbol }) };
    return { type: 'Assertion', message: message!, frames: [at] };
  }
  const failed = OTHER_ASSERTION.exec(line);
  if (failed) {
    const [, message, symbol, path, row] = failed;
    const at = { path: normalizePath(path!), line: Number(row), ...(symbol && { symbol }) };
    return { type: 'Assertion', message: message!, frames: [at] };
  }
  const linked = LINKER.exec(line);
  if (linked) {
    const at = { path: normalizePath(linked[1]!), line: Number(linked[2]) };
    return { type: 'error', message: linked[3]!, frames: [at] };
  }
  return crashHeader(line);
}

function crashHeader(line: string): TraceError | null {
  const sanitized = SANITIZER.exec(line);
  if (sanitized) return { type: sanitized[1]!, message: sanitized[2]!, frames: [] };
  const signal = SIGNAL.exec(line);
  if (signal) return { type: signal[1] ?? signal[3]!, message: signal[2] ?? line, frames: [] };
  const checked = VALGRIND_ERROR.exec(line)?.[1];
  return checked ? { type: 'valgrind', message: checked, frames: [] } : null;
}

function frame(line: string): Frame | null {
  const checked = VALGRIND_FRAME.exec(line);
  const numbered = checked ? null : NUMBERED_FRAME.exec(line)?.[1];
  const match = checked ?? (numbered ? FRAME_LOCATION.exec(numbered) : null);
  if (!match) return null;
  const [, name, path, row, column] = match;
  const symbol = symbolOf(name!);
  return {
    path: normalizePath(path!),
    line: Number(row),
    ...(column && { column: Number(column) }),
    ...(symbol && { symbol }),
  };
}

/** `int net::Socket::read(char *, int) const` and `find (a=1)` as `net.Socket.read` and `find`. */
function symbolOf(printed: string): string | undefined {
  const paren = printed.indexOf('(');
  const bare = (paren > 0 ? printed.slice(0, paren) : printed).replace(/<[^<>]{0,200}>/g, '').trim();
  const name = bare.slice(bare.lastIndexOf(' ') + 1).replace(/^[*&]+/, '');
  return name && !name.startsWith('<') ? name.replaceAll('::', '.') : undefined;
}
