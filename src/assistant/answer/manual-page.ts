/** Paths of manual pages and of their templates: `man/tar.1`, `docs/tar.1.in`. */
export const MANUAL_PAGE = /\.[1-9](?:\.in)?$/;

/** Requests of roff whose words are text: fonts and headings of `man`, and those of `mdoc`, such as `.Nm tar`. Others only format. */
const TEXT_REQUEST =
  /^\.(?:S[HhSs]|B|I|R|BR|BI|IB|IR|RB|RI|SM|SB|IP|(?!Bl|El|Bd|Ed|Pp|Dd|Dt|Os|Sm)[A-Z][a-z])(?![A-Za-z])\s*/;
const REQUEST = /^[.']/;
/** Escapes of roff: a font, a character by its name, one that stands for itself. */
const FONT = /\\f(?:\[\w*\]|\(\w\w|\w)/g;
const NAMED: Record<string, string> = {
  bu: '•',
  aq: "'",
  cq: '’',
  oq: '‘',
  lq: '“',
  rq: '”',
  em: '—',
  en: '–',
};

/** The text of a line of a manual page as a reader sees it; null for a line that only formats. */
export function manualText(line: string): string | null {
  const isText = TEXT_REQUEST.test(line);
  if (REQUEST.test(line) && !isText) return null;
  const words = isText ? line.replace(TEXT_REQUEST, '').replaceAll('"', '') : line;
  const text = words
    .replace(FONT, '')
    .replace(/\\\((\w\w)/g, (_, name: string) => NAMED[name] ?? '')
    .replace(/\\[&|^]/g, '')
    .replace(/\\e/g, '\\')
    .replace(/\\([-'`. ])/g, '$1');
  return text.trim() === '' && isText ? null : text;
}
