import { scorePaths } from '../lexical/rank-documents.ts';
import type { Signal } from './signal.ts';
import { toSignalValues } from './whole-file.ts';

/** BM25 of the text against the words of the path: a directory name is often the best summary. */
export const pathWords: Signal = ({ code, query, space }) => {
  scorePaths(code, space, query.terms);
  return toSignalValues(space.files, code.fileCount);
};
