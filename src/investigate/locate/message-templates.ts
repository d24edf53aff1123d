/** A string literal with placeholders. */
export interface MessageTemplate {
  /** Text between the placeholders, in order. */
  pieces: string[];
  /** First and last line, counted from 0 within the text. */
  from: number;
  to: number;
}

/** Literals: `"…"`, `'…'`, `` `…` ``, `qq{…}` of Perl and `%(…)` of Ruby, with escapes; a line end closes all but the last and triple-quoted ones. */
const LITERAL =
  /"""([\s\S]{0,2000}?)"""|'''([\s\S]{0,2000}?)'''|"((?:[^"\\\n]|\\.){0,2000})"|'((?:[^'\\\n]|\\.){0,2000})'|`((?:[^`\\]|\\[\s\S]){0,2000})`|(?<![\w$@%&.)\]])(?:qq?|%[qQ]?)(?:\{((?:[^{}\n\\]|\\.|\{[^{}\n]{0,200}\}){0,2000})\}|\(((?:[^()\n\\]|\\.|\([^()\n]{0,200}\)){0,2000})\))/g;
/**
 * Placeholders: `${x}` `#{x}` `%{x}` `{x}` `{{x}}` `{0:>4}` `{}` with braces inside once, `\(x)` of Swift, `$x` `$x->y` `$1`,
 * verbs `%s` `%-4.2f` `%(name)s` `%1$s` `%[1]d`, and `:name` of translation catalogs.
 */
const PLACEHOLDER = new RegExp(
  [
    String.raw`[$#%@]?\{{1,2}(?:[^{}\n]|\{[^{}\n]{0,60}\}){0,120}\}{1,2}`,
    String.raw`\\\((?:[^()\n]|\([^()\n]{0,60}\)){0,80}\)`,
    String.raw`\$(?:[A-Za-z_]\w{0,60}(?:->\w{1,60}|\[[^\]\n]{1,40}\])?|\d)`,
    String.raw`%(?:\([\w.]{1,60}\)|\d{1,2}\$|\[\d{1,2}\])?[-+#0]{0,3}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?(?:hh?|ll?|[jztL])?[a-zA-Z]`,
    String.raw`(?<=^|\s):[a-z_]{2,40}\b`,
  ].join('|'),
  'g',
);
/** Maximum length of the code between two concatenated literals. */
const MAX_JOIN_LENGTH = 120;
/** Code between two concatenated literals: whitespace, an operator, line ends, prefixes. */
const CONCATENATION = /^(?:[\s+\\]|\.\.?|<<|[fFbBrRuU]{1,2}(?=$))*$/;
/** The same with a value between: `+ x +`, `. $x .`, `.. x ..`, `<< x <<`, and a macro of C such as `PRIuMAX`. */
const CONCATENATION_WITH_VALUE =
  /^\s*(\+|\.\.?|<<)\s*[\w$.()[\]>:*&! -]{1,80}?\s*\1\s*$|^\s*[A-Z]\w{2,30}\s*$/;
const ESCAPE = /\\(?:n|t|r|"|'|`|\\|\n|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%%/g;

/** Parses the literals of a piece of code; concatenated literals are one template. */
export function parseTemplates(code: string): MessageTemplate[] {
  const templates: MessageTemplate[] = [];
  let end = 0;
  let line = 0;
  let counted = 0;
  const lineAt = (offset: number) => {
    for (; counted < offset; counted++) if (code.charCodeAt(counted) === 10) line++;
    return line;
  };
  for (const match of code.matchAll(LITERAL)) {
    const text = match.slice(1).find((group) => group !== undefined) ?? '';
    const from = lineAt(match.index);
    const to = lineAt(match.index + match[0].length);
    const pieces = splitAtPlaceholders(text);
    const between = code.slice(end, match.index);
    const last = templates.at(-1);
    end = match.index + match[0].length;
    if (last && between.length < MAX_JOIN_LENGTH && CONCATENATION.test(between)) {
      // In place, since copying for each literal of a file would take quadratic time.
      last.pieces.push((last.pieces.pop() ?? '') + (pieces[0] ?? ''), ...pieces.slice(1));
      last.to = to;
    } else if (last && between.length < MAX_JOIN_LENGTH && CONCATENATION_WITH_VALUE.test(between)) {
      // `"%" PRIuMAX`: the verb continues in the macro.
      last.pieces.push((last.pieces.pop() ?? '').replace(/%[-+#0\d.*]{0,8}$/, ''), ...pieces);
      last.to = to;
    } else templates.push({ pieces, from, to });
  }
  return templates;
}

/** Unescapes the text of a literal and splits it at its placeholders. */
export function splitAtPlaceholders(text: string): string[] {
  return text.replace(ESCAPE, unescapeSequence).split(PLACEHOLDER);
}

function unescapeSequence(sequence: string): string {
  const character = sequence[1]!;
  if (sequence.length > 2) return String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
  return character === 'n' || character === 't' || character === 'r' || character === '\n' ? ' ' : character;
}

/** A level before a message, in lower case. */
const LEVEL = /^\[?(?:error|fatal(?: error)?|warning|warn|critical|err|notice|info)\]?:? /;

/** Letters of the message covered by the template's pieces in order, and their share; 0 when a piece is missing. */
export function matchTemplate(
  template: MessageTemplate,
  message: string,
): { letters: number; share: number } {
  const normalized = normalizeText(message);
  const [first = '', ...others] = template.pieces.map(normalizeText);
  // A logger, whose prefix is left out, may be the literal itself.
  const bare = first.replace(LEVEL, '');
  let at = 0;
  let letters = 0;
  for (const piece of [normalized.includes(first) ? first : bare, ...others]) {
    const count = countLetters(piece);
    if (count === 0) continue;
    const found = normalized.indexOf(piece, at);
    if (found < 0) return { letters: 0, share: 0 };
    at = found + piece.length;
    letters += count;
  }
  const all = countLetters(normalized);
  return { letters, share: all === 0 ? 0 : Math.min(1, letters / all) };
}

/** Lowercases and collapses whitespace, so that line wrapping makes no difference. */
function normalizeText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
