/** Lines of a log that are read: the last ones, where runners print their failures. */
const MAX_LOG_LINES = 200_000;
const MAX_LINE_LENGTH = 4_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with that very character
const ANSI = /\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|[\]_][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[()][A-Z0-9])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL_CHARACTERS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]/g;

const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z`;

/**
 * Prefixes of CI systems, removed in this order: a downloaded GitHub log (`job<TAB>step<TAB>time `), the time of GitHub, Azure and
 * GitLab (with its stream, `00O `), of Jenkins (`[time] `), of Buildkite (`_bk;t=1`), and the command markers of each.
 */
const PREFIXES = [
  new RegExp(String.raw`^[^\t\n]{1,200}\t[^\t\n]{1,200}\t(?=\ufeff?${TIME})`),
  new RegExp(String.raw`^\ufeff?\[?${TIME}\]?(?: \d{2}[OE]\+?)?(?: |$)`),
  /^_bk;t=\d{1,16}/,
  /^section_(?:start|end):\d{1,12}:[\w.-]{1,200}(?:\[[^\]\n]{0,200}\])?/,
  /^travis_(?:fold|time):[\w:.=,-]{1,200}/,
  /^##\[(?:error|warning|command|section|debug)\]/,
];

/** Lines that only open or close a group. */
const GROUP_LINE = /^(?:##\[(?:group|endgroup)\]|::(?:group|endgroup)::|(?:\+\+\+|~~~) )/;

/** Splits a log into lines without escape sequences, times and markers of CI systems; of a long one, the end. */
export function cleanLog(text: string): string[] {
  const lines = text.replace(ANSI, '').split(/\r\n|\n/);
  return lines.slice(-MAX_LOG_LINES).flatMap((line) => {
    // A progress bar writes over its line; the last part is what a reader sees.
    const seen = line.includes('\r') ? lastNonEmpty(line.split('\r')) : line;
    const cleaned = removePrefixes(seen.slice(0, MAX_LINE_LENGTH).replace(CONTROL_CHARACTERS, '')).trimEnd();
    return GROUP_LINE.test(cleaned) ? [] : [cleaned];
  });
}

function removePrefixes(line: string): string {
  let rest = line;
  for (const prefix of PREFIXES) rest = rest.replace(prefix, '');
  return rest;
}

function lastNonEmpty(parts: string[]): string {
  return parts.findLast((part) => part.trim() !== '') ?? '';
}
