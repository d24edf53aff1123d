import { accumulateTerms } from '../lexical/term-score-cache.ts';
import type { Signal } from './signal.ts';
import { toSignalValues } from './whole-file.ts';

/** BM25's length normalization b. */
const LENGTH_PENALTY = 0.75;

/** Terms in more than this share of all messages are skipped: they cost the most and discriminate the least. */
const COMMON_TERM_SHARE = 0.1;

/**
 * BM25 of the text against the messages of all commits that touched the file, as one document. Messages use the
 * vocabulary of bug reports, which code often lacks.
 */
export const commitMessages: Signal = ({ index, code, query, space, history }) => {
  const { files, termScores } = space;
  const { messages } = index.commits;
  const slope = LENGTH_PENALTY / (history.averageMessageLength || 1);
  const addOccurrences = (term: string) => {
    const postings = messages.postings(term);
    if (!postings || postings.docs.length > Math.max(20, COMMON_TERM_SHARE * messages.count)) return;
    for (let i = 0; i < postings.docs.length; i++) {
      const commit = postings.docs[i]!;
      for (let at = history.starts[commit]!; at < history.starts[commit + 1]!; at++) {
        const file = history.files[at]!;
        const norm = 1 - LENGTH_PENALTY + slope * history.messageLengths[file]!;
        files.addFrequency(file, postings.counts[i]! / norm);
      }
    }
  };
  accumulateTerms(query.terms, files, (term) =>
    termScores.getOrCompute('commitMessages', term, files, addOccurrences),
  );
  return toSignalValues(space.files, code.fileCount);
};
