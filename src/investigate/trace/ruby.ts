import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * error = `path.rb:12:in 'Cart#add': message (Type)` { `⇥from frame` } | `Type (message):` { frame } | `Type: message` { frame }
 * frame = [ `# ` | `⇥2: from ` ] `path.rb:12[:in 'Cart#add']`, or an executable, `exe/rake:27`; before Ruby 3.4 the name is between ` and '
 */
const FRAME =
  /^\s*(?:# )?(?:\d{1,5}: )?(?:from )?((?:<internal:)?[^\s:'"`()]{1,400}\.(?:rb|rake|erb|haml|slim|ru|gemspec)|[^\s:'"`()]{0,200}(?:Rakefile|Gemfile|\/(?:bin|exe)\/[\w.-]{1,60})>?):(\d{1,7})(?::in [`'](.{1,300}?)')?$/;
const HEADER =
  /^((?:<internal:)?[^\s:'"`()]{1,400}\.(?:rb|rake|erb|ru)>?):(\d{1,7}):(?:in [`'](.{1,300}?)':)? (.{0,900}?) ?\(((?:[A-Z]\w{0,80}::){0,6}[A-Z]\w{0,80})\)$/;
const RAILS =
  /^((?:[A-Z]\w{0,80}::){0,6}[A-Z]\w{0,80}(?:Error|Exception|NotFound|Invalid|Missing|Timeout|Unauthorized)|Errno::[A-Z]\w{1,30})(?: \((.{1,900})\):?|: (.{1,900}))$/;
const RSPEC_FAILURE = /^\s*Failure\/Error: (.{1,900})$/;

/** The class of the error that RSpec prints below the failing line, above its message. */
const RSPEC_ERROR = /^((?:[A-Z]\w{0,80}::){0,6}[A-Z]\w{0,80}):$/;

/** Parses errors of Ruby, Rails logs and RSpec. */
export function parseRuby(lines: string[]): TraceError[] {
  return collectErrors(lines, { header, frame });
}

function header(line: string, index: number, lines: readonly string[]): TraceError | null {
  const match = HEADER.exec(line);
  if (match) {
    const [, path, row, name, message, type] = match;
    return { type: type!, message: message!, frames: [toFrame(path!, row!, name)] };
  }
  const rails = RAILS.exec(line.trim());
  // Other languages have similar error names, so a Ruby frame must follow.
  if (rails && lines.slice(index + 1, index + 8).some((below) => FRAME.test(below)))
    return { type: rails[1]!, message: rails[2] ?? rails[3]!, frames: [] };
  const failed = RSPEC_FAILURE.exec(line)?.[1];
  const raised = failed && RSPEC_ERROR.exec(messageBelow(lines, index) ?? '')?.[1];
  if (raised) {
    const heading = lines.findIndex((below, at) => at > index && below.trim() === `${raised}:`);
    return { type: raised, message: messageBelow(lines, heading) ?? failed, frames: [] };
  }
  return failed ? { type: 'Failure', message: messageBelow(lines, index) ?? failed, frames: [] } : null;
}

/** The message that RSpec prints below the failing line of code. */
function messageBelow(lines: readonly string[], index: number): string | undefined {
  return lines
    .slice(index + 1, index + 6)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('# '));
}

function frame(line: string): Frame | null {
  const match = FRAME.exec(line);
  return match ? toFrame(match[1]!, match[2]!, match[3]) : null;
}

/** `block in Cart#add` is code of `Cart.add`. */
function toFrame(path: string, line: string, name: string | undefined): Frame {
  const symbol = name
    ?.replace(/^(?:block |rescue |ensure )(?:\(\d+ levels\) )?in /, '')
    .replaceAll(/#|::/g, '.');
  return {
    path: normalizePath(path),
    line: Number(line),
    ...(symbol && !symbol.startsWith('<') && { symbol }),
  };
}
