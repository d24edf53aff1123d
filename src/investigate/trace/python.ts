import { type Frame, MAX_ERROR_MESSAGE_LENGTH, MAX_FRAMES, type TraceError } from './trace.ts';

/**
 * traceback  = "Traceback (most recent call last):" { `  File "path", line n[, in name]` [ code [ carets ] ] } header
 * chain      = traceback { ("The above exception was the direct cause …" | "During handling of …") traceback }
 * header     = `Type[: message]`, unindented
 * IPython    = `File path:n, in name(…)`, Rich = `│ path:n in name │`, both with code below
 * pytest     = `path:n: in name` or `path:n: Type`, code after `>`, the error after `E   `
 * A group of exceptions has `  | ` before every line, Loguru `> ` before the frame that caught it. Frames are printed outermost first.
 */
const FRAME = /^\s*(?:> )?File "([^"]{1,800})", line (\d{1,7})(?:, in ([^"\n].{0,199}))?$/;
/** IPython and Jupyter: `File path:12, in Cart.add(self)`. */
const IPYTHON_FRAME = /^File ([^"]{1,800}?):(\d{1,7}), in ([\w.<>]{1,200})\(?/;
/** Rich: `│ path:12 in add │`. */
const RICH_FRAME = /^[│|] (\S{1,800}?\.pyi?):(\d{1,7}) in (\S{1,200})\s*[│|]$/;
const HEADER = /^((?:[A-Za-z_]\w{0,80}\.){0,8}[A-Za-z_]\w{0,80})(?:: (.*))?$/;
const NAMED_ERROR =
  /(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Fault|Timeout|Found|Denied|Group|Failure|Invalid\w*)$/;
const PYTEST_FRAME = /^([\w./@+-]{1,300}\.pyi?):(\d{1,7}):(?: in (\S{1,200})| [\w.]{1,120})?$/;
const PYTEST_ERROR = /^E\s+(.*)$/;
const PYTEST_SUMMARY = /^(?:FAILED|ERROR) ([\w./@+-]{1,300}\.py)(?:::(\S{1,300}))? - (.{1,900})$/;
const GROUP = /^ {0,12}[|+](?:-{3,}.*)? ?/;

/** Parses Python tracebacks, chained and grouped ones, syntax errors and pytest reports. */
export function parsePython(lines: string[]): TraceError[] {
  const plain = lines.some((line) => line.includes('Exception Group Traceback'))
    ? lines.map((line) => line.replace(GROUP, ''))
    : lines;
  const errors = parseTracebacks(plain);
  return errors.length > 0 ? errors : parsePytest(plain);
}

/** Returns the error that ended the program first; Python prints it last. */
function parseTracebacks(lines: string[]): TraceError[] {
  const chain: TraceError[] = [];
  let frames: Frame[] = [];
  const finish = (type: string | null, message: string) => {
    chain.unshift({
      type,
      message: message.slice(0, MAX_ERROR_MESSAGE_LENGTH),
      frames: truncateFrames(frames.reverse()),
    });
    frames = [];
  };
  for (const [index, line] of lines.entries()) {
    const frame = FRAME.exec(line) ?? IPYTHON_FRAME.exec(line) ?? RICH_FRAME.exec(line);
    if (frame) {
      frames.push(toFrame(frame, lines[index + 1]));
      continue;
    }
    const header = frames.length > 0 ? parseHeader(line) : null;
    if (header) finish(header.type, [header.message, ...messageBelow(lines, index)].join('\n'));
  }
  if (frames.length > 0) finish(null, '');
  return chain;
}

function toFrame([, path, line, name]: RegExpExecArray, below: string | undefined): Frame {
  const symbol = name && !/^<(?:module|lambda|\w{1,12}comp|genexpr)>$/.test(name) ? name : undefined;
  const text = below && /^\s/.test(below) && !FRAME.test(below) ? below.trim() : undefined;
  return {
    path: path!.replaceAll('\\', '/'),
    line: Number(line),
    ...(symbol && { symbol }),
    ...(text && { text }),
  };
}

function parseHeader(line: string): { type: string; message: string } | null {
  const match = HEADER.exec(line.replace(/^E\s+/, ''));
  if (!match || (match[2] === undefined && !NAMED_ERROR.test(match[1]!))) return null;
  return { type: match[1]!, message: match[2] ?? '' };
}

/** Messages of several lines end at a blank line or at the next part of the report. */
function messageBelow(lines: string[], index: number): string[] {
  const below: string[] = [];
  for (const line of lines.slice(index + 1, index + 6)) {
    if (
      line.trim() === '' ||
      FRAME.test(line) ||
      /^(?:Traceback|During handling|The above|={3,}|-{3,}|_{3,})/.test(line)
    )
      break;
    below.push(line.trim());
  }
  return below;
}

function parsePytest(lines: string[]): TraceError[] {
  const frames: Frame[] = [];
  let error: { type: string | null; message: string } | null = null;
  let code: string | undefined;
  for (const line of lines) {
    if (/^>\s/.test(line)) code = line.slice(1).trim();
    const place = PYTEST_FRAME.exec(line);
    if (place) {
      const [, path, row, symbol] = place;
      frames.push({ path: path!, line: Number(row), ...(symbol && { symbol }), ...(code && { text: code }) });
      code = undefined;
    }
    const errorText = PYTEST_ERROR.exec(line)?.[1];
    if (errorText !== undefined) error ??= parseHeader(errorText) ?? { type: null, message: errorText };
    const summary = PYTEST_SUMMARY.exec(line);
    if (summary && !error) error = parseHeader(summary[3]!) ?? { type: null, message: summary[3]! };
    if (summary && frames.length === 0) frames.push({ path: summary[1]!, line: null });
  }
  if (!error || frames.length === 0) return [];
  return [
    {
      ...error,
      message: error.message.slice(0, MAX_ERROR_MESSAGE_LENGTH),
      frames: truncateFrames(frames.reverse()),
    },
  ];
}

/** Keeps the innermost and outermost frames of a deep recursion. */
function truncateFrames(frames: Frame[]): Frame[] {
  const half = MAX_FRAMES / 2;
  return frames.length <= MAX_FRAMES ? frames : [...frames.slice(0, half), ...frames.slice(-half)];
}
