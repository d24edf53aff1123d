import { createHash } from 'node:crypto';

/** Version of the format and the keys of texts: a new one recomputes every vector. */
export const TEXT_VERSION = 1;

/** Characters per text: some 1,500 to 2,000 tokens, which most models accept. */
const MAX_TEXT_LENGTH = 6000;

/** Text of a passage for an embedding model. */
interface PassageText {
  /** Hash of its content without the path, 32 hexadecimal digits: moved and copied files have the same. */
  readonly key: string;
  readonly text: string;
}

/** Formats the path, the symbol and the lines of a passage, truncated to MAX_TEXT_LENGTH. */
export function formatPassageText(path: string, symbol: string | null, lines: string): PassageText {
  const source = lines.slice(0, MAX_TEXT_LENGTH).toWellFormed();
  const content = `${symbol ?? ''}\n${source}`;
  const key = createHash('sha256').update(`${TEXT_VERSION}\n${content}`).digest('hex').slice(0, 32);
  return { key, text: `${path}\n${content}` };
}
