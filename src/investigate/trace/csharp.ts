import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * error = [ `Unhandled exception. ` ] `Ns.Type: message` { ` ---> Ns.Type: message` } { frame } [ `--- End of inner exception stack trace ---` ]
 * frame = `   at Ns.Class.Method(Int32 x) in path.cs:line 12`
 * build = `path.cs(12,3): error CS1002: message [project]`
 */
const FRAME = /^\s*at (.{1,400}?)\(.{0,600}\) in (.{1,500}?):line (\d{1,7})$/;
const HEADER =
  /^\s*(?:Unhandled exception\. |---> |System\.AggregateException: .{0,300} ---> )?((?:[A-Z]\w{0,80}\.){1,12}\w{0,100}(?:Exception|Error))(?: \(0x[0-9A-Fa-f]{1,8}\))?: (.*)$/;
const BUILD =
  /^\s*([^\s()][^()]{0,400}\.(?:cs|fs|vb|cshtml|razor|xaml))\((\d{1,7}),(\d{1,7})\): error ([A-Z]{2,6}\d{3,5}): (.{1,900}?)(?: \[[^\]]{1,400}\])?$/;

/** Parses .NET exceptions with their inner exceptions, and compiler errors. */
export function parseCsharp(lines: string[]): TraceError[] {
  return collectErrors(lines, { header, frame });
}

function header(line: string): TraceError | null {
  const built = BUILD.exec(line);
  if (built) {
    const [, path, row, column, code, message] = built;
    const at = { path: normalizePath(path!), line: Number(row), column: Number(column) };
    return { type: code!, code: code!, message: message!, frames: [at] };
  }
  const match = HEADER.exec(line);
  return match ? { type: match[1]!, message: match[2]!.replace(/ ---> .*$/, ''), frames: [] } : null;
}

function frame(line: string): Frame | null {
  const match = FRAME.exec(line);
  if (!match) return null;
  const [, method, path, row] = match;
  return { path: normalizePath(path!), line: Number(row), symbol: symbolOf(method!) };
}

/** `N.Cart.<Add>d__3.MoveNext` and `N.Cart.<>c.<Add>b__0` as `Cart.Add`, `N.Cart..ctor` as `Cart.Cart`. */
function symbolOf(method: string): string {
  const compilerGenerated = /^(.{0,300}?)\.(?:<>c\w*\.)?<(\w{1,100})>/.exec(method);
  const plain = (compilerGenerated ? `${compilerGenerated[1]}.${compilerGenerated[2]}` : method).replace(
    /`\d+|\[[^\]]*\]/g,
    '',
  );
  const names = plain.split('.').filter(Boolean).slice(-2);
  return names.map((name) => (/^c?ctor$/.test(name) ? names[0]! : name)).join('.');
}
