/** Limits of the parsed text. */
const MAX_LINES = 5_000;
const MAX_LINE_LENGTH = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with that very character
const ESCAPE_SEQUENCES = /\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[()][A-Z0-9])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL_CHARACTERS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const TIME = String.raw`\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?`;
const DATE_TIME = String.raw`\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]${TIME}(?:Z| ?[+-]\d{2}:?\d{2}|(?= ))?)?`;
const LEVEL = 'TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE';

/**
 * Log prefixes, each removed at most once and in this order:
 * `web-1  | `, `[pod/x/y] `, a timestamp (plain, in brackets, or syslog's with host and program), `stderr F ` of
 * Kubernetes, `app[web.1]: ` of Heroku, the whole prefixes of klog, Ruby's logger, Android and Apache, `[pid] `,
 * `[thread] `, a level with its logger, `npm ERR! `. One blank after it belongs to the prefix; further ones are the line's own indentation.
 */
const LOG_PREFIXES = [
  /^[\w.-]{1,64} {0,20}\|(?: |$)/,
  /^\[pod\/[^\]\s]{1,200}\] /,
  /^##\[error\]/,
  new RegExp(String.raw`^[A-Z], \[${DATE_TIME} #\d{1,10}\] {1,2}(?:${LEVEL}|ANY) -- [^:]{0,40}: `),
  new RegExp(String.raw`^\[?${DATE_TIME}\]?[:,]? `),
  /^std(?:err|out) [FP] /,
  /^(?!error\[)[a-z]{2,20}\[[\w.-]{1,40}\]: /,
  new RegExp(String.raw`^[EFWI]\d{4} ${TIME} {1,12}\d{1,10} [\w./-]{1,80}:\d{1,6}\] `),
  new RegExp(String.raw`^\d{2}-\d{2} ${TIME} {1,4}\d{1,7} {1,4}\d{1,7} [VDIWEF] [^:\s]{1,60} ?: `),
  new RegExp(
    String.raw`^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} ${TIME} \d{4}\] \[[\w:-]{1,40}\] (?:\[(?:pid|client) [^\]]{1,60}\] ){0,2}`,
  ),
  new RegExp(String.raw`^[A-Z][a-z]{2} {1,2}\d{1,2} ${TIME} [\w.-]{1,64} [\w./-]{1,64}(?:\[\d{1,10}\])?: `),
  new RegExp(String.raw`^\[?${TIME}\]? `),
  /^\[\d{1,10}\]:? (?=\S| {2,})/,
  new RegExp(String.raw`^\[[\w#./ -]{1,80}\] (?=(?:${LEVEL}) )`),
  new RegExp(
    String.raw`^(?:\[(?:${LEVEL})\]|(?:${LEVEL})(?= |:)):? ?(?:- |\[[\w.]{1,64}\] |[\w.$]{1,120} {1,40}- |[\w.]{1,64}: (?=Traceback))?`,
  ),
  // Monolog and Laravel: `production.ERROR: `.
  new RegExp(String.raw`^[\w-]{1,40}\.(?:${LEVEL}|ALERT|EMERGENCY): `),
  /^npm (?:ERR!|error) (?:[a-z]{1,12} (?=\S))?/,
];

/** Splits a pasted text into lines without escape sequences, log prefixes and invisible characters. */
export function cleanLines(text: string): string[] {
  const lines = unescapeNewlines(unpackJsonLines(text))
    .replace(ESCAPE_SEQUENCES, '')
    .split(/\r\n|\r|\n/, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_LENGTH).replace(CONTROL_CHARACTERS, ''));
  return dedentBlocks(stripQuoteMarks(lines).map(stripLogPrefixes)).map((line) => line.trimEnd());
}

function stripLogPrefixes(line: string): string {
  let rest = line;
  for (const prefix of LOG_PREFIXES) rest = rest.replace(prefix, '');
  return rest;
}

/** Share of the lines that begin with a quote mark in a quoted text; pytest marks single lines so. */
const MIN_QUOTED_SHARE = 0.9;

/** Removes the `> ` of mail and Markdown where the whole text is quoted. */
function stripQuoteMarks(lines: string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== '');
  const quoted = filled.filter((line) => line.startsWith('>'));
  if (filled.length < 2 || quoted.length < MIN_QUOTED_SHARE * filled.length) return lines;
  return lines.map((line) => line.replace(/^> ?/, ''));
}

/** Indentation of a code block in Markdown. */
const CODE_INDENT = /^(?: {4}|\t)/;

/** Removes the common indentation of the whole text, and that of Markdown's code blocks, which follow a blank line. */
function dedentBlocks(lines: string[]): string[] {
  const whole = dedent(lines);
  const dedented: string[] = [];
  for (let at = 0; at < whole.length; ) {
    const isBlock = CODE_INDENT.test(whole[at]!) && (whole[at - 1] ?? '').trim() === '';
    let end = at + 1;
    while (isBlock && end < whole.length && (CODE_INDENT.test(whole[end]!) || whole[end]!.trim() === ''))
      end++;
    const block = whole.slice(at, end);
    for (const line of isBlock ? dedent(block) : block) dedented.push(line);
    at = end;
  }
  return dedented;
}

function dedent(lines: string[]): string[] {
  let common: string | null = null;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const indent = /^[ \t]*/.exec(line)![0];
    common = common === null || common.startsWith(indent) ? indent : indent.startsWith(common) ? common : '';
    if (common === '') return lines;
  }
  return common ? lines.map((line) => line.slice(common.length)) : lines;
}

/** Depth to which a log record is read. */
const MAX_JSON_DEPTH = 4;
const TRACE_FIELD = /"(?:stack|stack_?trace|exception|trace|traceback|exc_info)":/i;
const ERROR_FIELD = /^(?:err|error|stack|stack_?trace|exception|trace|traceback|exc_info|exc_text)$/i;

/** Replaces log records in JSON, one a line, by their texts. */
function unpackJsonLines(text: string): string {
  if (!/^[^\S\n]*\{.*"/m.test(text)) return text;
  return text
    .split('\n')
    .map((line) => {
      if (!/^\s*\{.*\}\s*$/.test(line) || !(line.includes('\\n') || TRACE_FIELD.test(line))) return line;
      try {
        return textsOf(JSON.parse(line), 0).join('\n');
      } catch {
        return line;
      }
    })
    .join('\n');
}

/** Strings of more than one word, those of the error itself first. */
function textsOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return /\s/.test(value.trim()) ? [value] : [];
  if (value === null || typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return [];
  const isError = ([name]: [string, unknown]) => Number(ERROR_FIELD.test(name));
  const fields = Object.entries(value).sort((a, b) => isError(b) - isError(a));
  return fields.flatMap(([, part]) => textsOf(part, depth + 1));
}

const JSON_STRING = /"((?:[^"\\]|\\.){0,50000})"/g;

/** Unescapes the line ends of traces inside JSON log lines. */
function unescapeNewlines(text: string): string {
  if (!/\\n\s{0,8}(?:at |File \\?")/.test(text)) return text;
  return text.replace(JSON_STRING, (whole, inside: string) => {
    if (!inside.includes('\\n')) return whole;
    return `\n${inside.replaceAll('\\r', '').replaceAll('\\n', '\n').replaceAll('\\"', '"')}\n`;
  });
}
