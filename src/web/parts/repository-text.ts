/** Visible text, or the code point of one invisible character. */
type TextPiece = { text: string } | { hidden: string };

/**
 * Invisible characters: control characters except tab and newline, soft hyphen, zero-width marks, bidirectional
 * controls, fillers, byte-order mark, and the tag characters of plane 14.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: making control characters visible is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]/gu;

/** Splits text at invisible characters, each named by its code point (`U+202E`). */
export function splitHidden(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > start) pieces.push({ text: text.slice(start, match.index) });
    const point = match[0].codePointAt(0) ?? 0;
    pieces.push({ hidden: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` });
    start = match.index + match[0].length;
  }
  if (start < text.length) pieces.push({ text: text.slice(start) });
  return pieces;
}

const LONG_HASH = /^(?=[a-f]*\d)([0-9a-f]{7})[0-9a-f]{5,57}(?=[~^]?$)/;

/** Shortens a commit hash to seven digits, `2a6f290bc093^` with its suffix; other text is unchanged. */
export function shortenHash(text: string): string {
  return text.replace(LONG_HASH, '$1');
}

/** Splits a text at backticks into plain and code parts. */
export function splitBackticks(text: string): { text: string; repository: boolean }[] {
  const parts = text.split('`');
  // An unpaired backtick is a plain character.
  if (parts.length % 2 === 0) parts.push(`${parts.splice(-2, 1)[0]}\`${parts.pop()}`);
  return parts
    .map((part, index) => ({ text: part, repository: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
