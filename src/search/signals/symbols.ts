import { words } from '#memory/tokens.ts';
import type { Signal } from './signal.ts';

/** Names beyond which a text is a listing; each costs a look-up. */
const MAX_NAMES = 500;

/** A name that this many passages define means none of them. */
const MAX_DEFINITIONS = 40;

/** What only code looks like: a capital or a digit inside, an underscore, a dot between names. */
const CODE_LIKE = /[\p{Ll}\d]\p{Lu}|\p{L}_|_\p{L}|\p{L}\d|\./u;

/** How much an ordinary word that happens to be a name counts beside one that only code would use. */
const PLAIN_WORD = 0.25;

/**
 * Files that define what the text names: functions, methods, classes. A name counts by how few passages define
 * it; `Session.request` also by itself, beside `Session` and `request`.
 */
export const symbols: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  for (const name of namesIn(query.text)) {
    const passages = code.passagesDefining(name);
    if (passages.length === 0 || passages.length > MAX_DEFINITIONS) continue;
    const files = new Set(passages.flatMap((passage) => code.passageFiles(passage)));
    const share = (CODE_LIKE.test(name) ? 1 : PLAIN_WORD) / files.size;
    for (const file of files) values[file]! += share;
  }
  return values;
};

function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  words(text, (word) => {
    if (word.length > 2 && names.size < MAX_NAMES) names.add(word);
  });
  for (const dotted of text.match(/[\w$]{2,64}(?:\.[\w$]{2,64}){1,3}/g) ?? []) {
    if (names.size < 2 * MAX_NAMES) names.add(dotted);
  }
  return names;
}
