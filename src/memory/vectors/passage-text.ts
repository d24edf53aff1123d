import { createHash } from 'node:crypto';

/** Of how texts are put together and keyed: another one makes every vector anew. */
export const TEXT_VERSION = 1;

/** Characters of one text: some 1,500 to 2,000 units of a model, which most take whole. */
const MAX_TEXT_LENGTH = 6000;

/** A passage as an embedding model reads it. */
export interface PassageText {
  /** Of its content alone, 32 hexadecimal digits: a file that moves, or a copy of it, has the same. */
  readonly key: string;
  readonly text: string;
}

/** Where it lies, what it defines, then its lines, cut to what a model takes. */
export function formatPassageText(path: string, symbol: string | null, lines: string): PassageText {
  const source = lines.slice(0, MAX_TEXT_LENGTH).toWellFormed();
  const content = `${symbol ?? ''}\n${source}`;
  const key = createHash('sha256').update(`${TEXT_VERSION}\n${content}`).digest('hex').slice(0, 32);
  return { key, text: `${path}\n${content}` };
}
