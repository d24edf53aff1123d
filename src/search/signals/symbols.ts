import type { Signal } from './signal.ts';

/** Names of each kind that are looked up. */
const MAX_NAMES = 500;

/** Names with more definitions are too ambiguous. */
const MAX_DEFINITIONS = 40;

/** Names that only code uses: with an inner capital or digit, an underscore, or a dot. */
const CODE_LIKE_NAME = /[\p{Ll}\d]\p{Lu}|\p{L}_|_\p{L}|\p{L}\d|\./u;

/** Weight of an ordinary word that is also a name, relative to a code-like name. */
const PLAIN_WORD_WEIGHT = 0.25;

/**
 * Files that define functions, methods or classes named in the text, weighted by the inverse number of files.
 * `Session.request` counts besides `Session` and `request`.
 */
export const symbols: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  for (const name of findNames(query.text)) {
    const passages = code.passagesDefining(name);
    if (passages.length === 0 || passages.length > MAX_DEFINITIONS) continue;
    const files = new Set(passages.flatMap((passage) => code.passageFiles(passage)));
    const share = (CODE_LIKE_NAME.test(name) ? 1 : PLAIN_WORD_WEIGHT) / files.size;
    for (const file of files) values[file]! += share;
  }
  return values;
};

/** Identifiers of the text, followed by its dotted names. */
function findNames(text: string): string[] {
  const single = new Set(text.match(/[\p{L}\p{N}_$]{3,64}/gu));
  const dotted = new Set(text.match(/[\w$]{2,64}(?:\.[\w$]{2,64}){1,3}/g));
  return [...[...single].slice(0, MAX_NAMES), ...[...dotted].slice(0, MAX_NAMES)];
}
