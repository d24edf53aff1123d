import type { Signal } from './signal.ts';

/** Names of each sort beyond which a text is a listing; each costs a look-up. */
const MAX_NAMES = 500;

/** A name that this many passages define means none of them. */
const MAX_DEFINITIONS = 40;

/** What only code looks like: a capital or a digit inside, an underscore, a dot between names. */
const CODE_LIKE_NAME = /[\p{Ll}\d]\p{Lu}|\p{L}_|_\p{L}|\p{L}\d|\./u;

/** How much an ordinary word that happens to be a name counts beside one that only code would use. */
const PLAIN_WORD_WEIGHT = 0.25;

/**
 * Files that define what the text names: functions, methods, classes. A name counts by how few passages define
 * it; `Session.request` also by itself, beside `Session` and `request`.
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

/** Identifiers of the text, then its dotted names. */
function findNames(text: string): string[] {
  const single = new Set(text.match(/[\p{L}\p{N}_$]{3,64}/gu));
  const dotted = new Set(text.match(/[\w$]{2,64}(?:\.[\w$]{2,64}){1,3}/g));
  return [...[...single].slice(0, MAX_NAMES), ...[...dotted].slice(0, MAX_NAMES)];
}
