import { normalizePath } from './collect-errors.ts';
import {
  type Frame,
  MAX_ERROR_MESSAGE_LENGTH,
  MAX_FRAMES,
  type TraceError,
  type TraceLanguage,
  type TraceParser,
} from './trace.ts';

/** Lines of an error in one language; the groups of the patterns are `type`, `message`, `path`, `line` and `symbol`. */
interface LinePatterns {
  frame?: RegExp;
  /** Type, message and place in the line of the message, or the line itself where `end` and `frame` are missing. */
  header: RegExp;
  /** First line below the message; by default the first frame. */
  end?: RegExp;
  /** True where the error is printed below its frames, outermost first. */
  isBelow?: boolean;
}

/**
 *     lua         `lua: cart.lua:3: message`, `stack traceback:`, `⇥cart.lua:3: in function 'add'`
 *     elixir      `** (ArgumentError) message`, `    (shop 1.0.0) lib/cart.ex:3: Shop.Cart.add/2`
 *     dart        `Unhandled exception:`, message, `#0      Cart.add (package:shop/cart.dart:3:5)`
 *     haskell     `shop: message`, `CallStack (from HasCallStack):`, `  error, called at src/Cart.hs:3:5 in main:Cart`
 *     julia       `ERROR: BoundsError: message`, `Stacktrace:`, ` [1] add(x::Int64)`, `   @ Shop ~/cart.jl:3`
 *     ocaml       `Fatal error: exception Failure("message")`, `Called from Cart.add in file "cart.ml", line 3, characters 2-9`
 *     tcl         message, `    (procedure "add" line 2)`, `    (file "cart.tcl" line 5)`
 *     powershell  `Add-Cart : message`, `At C:\cart.ps1:3 char:5`
 *     nim         `/src/cart.nim(3) add`, `Error: unhandled exception: message [IndexDefect]`
 *     crystal     `Unhandled exception: message (IndexError)`, `  from src/cart.cr:3:5 in 'add'`
 *     shell       `cart.sh: line 3: message`, dash: `cart.sh: 3: message`, zsh: `cart.zsh:3: message`
 */
const PATTERNS = {
  lua: {
    header:
      /^(?:\S{0,80}\b(?:lua[\d.]*|luajit|love)(?:\.exe)?: )?(?:Error: )?(?:(?<path>[\w./\\@-]{1,300}\.lua):(?<line>\d{1,7}): )?(?<message>\S.{0,900})$/,
    frame:
      /^\s+(?:\.{3})?(?<path>[\w./\\@-]{1,300}\.lua):(?<line>\d{1,7}): in (?:(?:\w{1,12} ){0,2}['<](?<symbol>[\w.:]{1,120})'?|.)/,
    end: /^\s*stack traceback:/i,
  },
  elixir: {
    header: /^(?:.{0,200}\s)?\*\* \((?<type>[\w.]{1,120})\) (?<message>.{0,900})$/,
    frame:
      /^\s{2,12}(?:\([\w.]{1,60}(?: [\w.+-]{1,40})?\) )?(?<path>[\w./-]{1,300}\.(?:exs?|erl|[hl]?eex)):(?<line>\d{1,7}): (?:anonymous fn\/\d+ in )?(?<symbol>[\w.?!:]{1,200})/,
  },
  dart: {
    header:
      /^(?:.{0,200}Unhandled Exception: )?(?:(?<type>[A-Z]\w{2,60}(?:Error|Exception)): )?(?<message>.{1,900})$/,
    frame:
      /^#\d{1,5}\s{1,8}(?<symbol>\S.{0,200}?) \((?:package:|file:\/\/)(?<path>[^\s():]{1,400}\.dart):(?<line>\d{1,7})(?::\d{1,7})?\)$/,
    end: /^#0 /,
  },
  haskell: {
    header: /^[\w.-]{1,80}: (?<message>\S.{0,900})$/,
    frame:
      /^\s+\S{1,80}, called at (?<path>[\w./-]{1,300}\.l?hs):(?<line>\d{1,7}):\d{1,7} in [\w.:-]{1,200}$/,
    end: /^CallStack \(from HasCallStack\):/,
  },
  julia: {
    header:
      /^(?:ERROR: )?(?:LoadError: )?(?:(?<type>[A-Z]\w{2,60}(?:Error|Exception)): )?(?<message>.{1,900})$/,
    frame:
      /^\s{1,8}(?:\[\d{1,4}\] .{0,300})?@ (?:[\w.]{1,80} )?(?<path>[\w./~\\-]{1,300}\.jl):(?<line>\d{1,7})/,
    end: /^Stacktrace:/,
  },
  ocaml: {
    header: /^Fatal error: exception (?<type>[A-Z][\w.]{0,80})(?:\("?(?<message>.{0,900}?)"?\))?$/,
    frame:
      /^\s*(?:Raised|Called|Re-raised) .{2,30}? (?<symbol>[\w.]{1,200}) in file "(?<path>[^"]{1,300}\.ml)"(?: \(inlined\))?, lines? (?<line>\d{1,7})/,
  },
  tcl: {
    header: /^(?<message>.{1,900})$/,
    frame: /^\s+\(file "(?<path>[^"]{1,300})" line (?<line>\d{1,7})\)$/,
    end: /^\s+(?:while executing|invoked from within|\(\S.{0,300}\))$/,
  },
  powershell: {
    header: /^(?:(?<symbol>[\w.-]{1,80}) ?: )?(?<message>.{1,900})$/,
    frame: /^\s*At (?<path>\S.{0,300}\.psm?1):(?<line>\d{1,7}) char:\d+$/,
  },
  nim: {
    header: /^Error: unhandled exception: (?<message>.{0,900}?)(?: \[(?<type>\w{1,80})\])?$/,
    frame: /^(?<path>[\w./\\-]{1,300}\.nim)\((?<line>\d{1,7})\) (?<symbol>\w{1,100})$/,
    isBelow: true,
  },
  crystal: {
    header: /^Unhandled exception: (?<message>.{0,900}?) \((?<type>[A-Z][\w:]{0,80})\)$/,
    frame: /^\s+from (?<path>[\w./-]{1,300}\.cr):(?<line>\d{1,7})(?::\d{1,7})? in '(?<symbol>[^'()]{1,120})/,
  },
  shell: {
    // The line alone, without the word, may be a status: `/api/carts: 404: not found`.
    header:
      /^(?=\S{0,400}\.(?:ba|z|k)?sh:|\.\/[\w/@~+-]{1,300}:|\S{0,400}\/s?bin\/|\S{1,400}\/\S{0,400}: line )(?<path>[\w./@~+-]{1,400}): ?(?:line )?(?<line>\d{1,7}): (?<message>(?!\d+[: ]).{1,900})$/,
  },
} satisfies Partial<Record<TraceLanguage, LinePatterns>>;

/** Parsers of languages whose errors are recognized by the form of their lines. */
export const MORE_PARSERS = Object.fromEntries(
  Object.entries(PATTERNS).map(([language, patterns]) => [
    language,
    (lines: string[]) => parseLines(lines, patterns),
  ]),
) as Record<keyof typeof PATTERNS, TraceParser>;

function parseLines(lines: readonly string[], { header, frame, end, isBelow }: LinePatterns): TraceError[] {
  const found = frame ? lines.map((line) => toFrame(frame.exec(line)?.groups)) : [];
  const first = end ? lines.findIndex((line) => end.test(line)) : found.findIndex((one) => one !== null);
  if (frame && first < 0) return [];
  const frames = found.filter((one) => one !== null).slice(0, MAX_FRAMES);
  if (isBelow) frames.reverse();
  const title =
    frame && !isBelow
      ? lines.slice(0, first).findLast((line) => /^\S/.test(line))
      : lines.find((line) => header.test(line));
  if (title === undefined) return frames.length === 0 ? [] : [{ type: null, message: '', frames }];
  const groups = header.exec(title)?.groups;
  const place = toFrame(groups);
  // The statement that raised the error is a frame as well, unless the runtime or a library did.
  const isPlaced = frames.some(({ path, line }) => path === place?.path && line === place.line);
  const all = place && !isPlaced ? [place, ...frames] : frames;
  const message = (groups ? groups.message : title) ?? '';
  if (all.length === 0) return [];
  return [{ type: groups?.type ?? null, message: message.slice(0, MAX_ERROR_MESSAGE_LENGTH), frames: all }];
}

function toFrame(groups: Record<string, string | undefined> | undefined): Frame | null {
  const { path, line, symbol } = groups ?? {};
  if (path === undefined || line === undefined) return null;
  return { path: normalizePath(path), line: Number(line), ...(symbol !== undefined && { symbol }) };
}
