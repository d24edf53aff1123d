import type { QueryTerm } from '../query.ts';
import { scorePaths } from '../rank.ts';
import type { Signal, SignalInput } from './signal.ts';
import { scoresOf } from './whole-file.ts';

/** BM25 of the text against the words of the path: a directory name is often the best summary there is. */
export const pathWords: Signal = (input) => scoreWords(input, input.query.terms);

/** The same for the title alone. */
export const titlePath: Signal = (input) => scoreWords(input, input.query.views.title);

function scoreWords({ code, space }: SignalInput, terms: QueryTerm[]): Float32Array {
  scorePaths(code, terms, space.files);
  return scoresOf(space.files, code.fileCount);
}
