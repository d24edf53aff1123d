import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * panic    = `thread 'name' [(id)] panicked at path:4:5:`, below it the message; before Rust 1.73 `panicked at 'message', path:4:5`
 * backtrace = `  3: app::net::Server::handle`, below it `      at ./src/net.rs:42:13`
 * rustc    = `error[E0382]: message`, below it `  --> path:4:5`
 */
const PANIC = /^\s*thread '[^']{0,200}'(?: \(\d{1,12}\))? panicked at (.{1,1200})$/;
const PANIC_LOCATION = /^(.{1,500}?\.rs):(\d{1,7}):(\d{1,7}):?$/;
const OLD_PANIC = /^'(.{0,900})', (.{1,500}?\.rs):(\d{1,7}):(\d{1,7})$/;
const FRAME_LOCATION = /^\s+(?:at|-->|:::) (.{1,500}?\.rs):(\d{1,7})(?::(\d{1,7}))?$/;
const CALL = /^\s*\d{1,6}:\s+(?:0x[0-9a-f]{1,16} - )?(\S.{0,400})$/;
const RUSTC = /^error(?:\[(E\d{4})\])?: (.{1,900})$/;

/** Parses panics, failed tests and compiler errors of Rust. */
export function parseRust(lines: string[]): TraceError[] {
  return collectErrors(lines, { header, frame });
}

function header(line: string, index: number, lines: readonly string[]): TraceError | null {
  const panic = PANIC.exec(line)?.[1];
  if (panic !== undefined) return parsePanic(panic, lines[index + 1] ?? '');
  const compiled = RUSTC.exec(line);
  if (!compiled || !FRAME_LOCATION.test(lines[index + 1] ?? '')) return null;
  const [, code, message] = compiled;
  return { type: code ?? 'error', message: message!, ...(code && { code }), frames: [] };
}

function parsePanic(text: string, below: string): TraceError {
  const old = OLD_PANIC.exec(text);
  const place = old?.slice(2) ?? PANIC_LOCATION.exec(text)?.slice(1);
  const message = old?.[1] ?? (place ? below.trim() : text);
  const [path, line, column] = place ?? [];
  const frames = path ? [{ path: normalizePath(path), line: Number(line), column: Number(column) }] : [];
  return { type: 'panic', message, frames };
}

function frame(line: string, index: number, lines: readonly string[]): Frame | null {
  const place = FRAME_LOCATION.exec(line);
  if (!place) return null;
  const [, path, row, column] = place;
  const symbol = symbolOf(CALL.exec(lines[index - 1] ?? '')?.[1] ?? '');
  return {
    path: normalizePath(path!),
    line: Number(row),
    ...(column && { column: Number(column) }),
    ...(symbol && { symbol }),
  };
}

/** `<app::net::Server<T> as app::Run>::handle::{{closure}}::h0123…` as `Server.handle`. */
function symbolOf(call: string): string | undefined {
  const bare = call
    .replace(/^<(?:dyn )?([^<>]{1,200})(?:<[^<>]{0,200}>)?(?: as [^>]{1,200}>?)?>/, '$1')
    .replace(/::\{\{[^}]{1,40}\}\}|::h[0-9a-f]{16}$|<[^<>]{0,200}>/g, '');
  const names = bare.split('::').filter(Boolean);
  const owner = names.at(-2);
  return owner && /^[A-Z]/.test(owner) ? names.slice(-2).join('.') : names.at(-1);
}
