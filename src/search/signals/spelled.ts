import { literalQuery } from '#memory/trigrams/query.ts';
import type { Signal } from './signal.ts';

/**
 * What is spelled as only code is, with the signs between its words: options (`--no-edit`), chains (`a.b`, `a/b`,
 * `a::b`), calls (`open(`), names that begin or end with `_`, decorators. Words alone are what the other signals have.
 */
const SPELLED =
  /(?<![\w-])(?:--?[a-z][\w-]{2,40}|[A-Za-z_]\w{0,60}(?:(?:[-./]|::?)\w{1,60}){1,8}\(?|@\w{3,40}|[A-Za-z_]\w{2,40}\(|_{1,2}\w{3,40}|\w{3,40}_)(?!\w)/g;

/** Each costs a look-up of its trigrams. */
const MOST = 40;
const SHORTEST = 4;
/** What more than this share of all files may hold is a way of writing, not a thing. */
const COMMON = 1 / 3;

/**
 * Files that may hold, letter by letter, what the text spells as code: each by its rarity, shared among the files.
 * Known from trigrams alone, without reading a file.
 */
export const spelled: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  const texts = new Set(query.text.match(SPELLED)?.filter((text) => text.length >= SHORTEST));
  for (const text of [...texts].slice(0, MOST)) {
    const files = code.filesHolding(literalQuery([text]));
    if (!files || files.length > COMMON * code.fileCount) continue;
    const worth = Math.log(code.fileCount / files.length) / Math.sqrt(files.length);
    for (const file of files) values[file]! += worth;
  }
  return values;
};
