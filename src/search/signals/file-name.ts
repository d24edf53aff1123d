import { terms } from '#memory/tokens.ts';
import { stemOf } from '../paths.ts';
import type { Signal } from './signal.ts';

/** The folder speaks for a file whose own name says nothing. */
const SAYS_NOTHING = /^(?:index|__init__|mod|lib|main|base|core|common|utils?|helpers?|types?)$/;

/**
 * Share of the file's own name that the text has as whole words; the folder's where the name says nothing. Names of
 * several words count more, since they are seldom met by chance.
 */
export const fileName: Signal = ({ code, query }) => {
  const asked = new Set(query.terms.map(({ term }) => term));
  return Float32Array.from({ length: code.fileCount }, (_, file) => {
    const path = code.filePath(file);
    const stem = stemOf(path);
    const name = SAYS_NOTHING.test(stem) ? (path.split('/').at(-2) ?? stem) : stem;
    const words = new Set(terms(name));
    const shared = [...words].filter((word) => asked.has(word)).length;
    return (shared / (words.size || 1)) * Math.sqrt(shared);
  });
};
