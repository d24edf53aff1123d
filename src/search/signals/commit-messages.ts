import { accumulate } from '../scoring/term-score-cache.ts';
import type { Signal } from './signal.ts';
import { toSignalValues } from './whole-file.ts';

/** How strongly a long story is discounted. */
const LENGTH_PENALTY = 0.75;

/** A term in more than this share of all messages is passed over: it costs most and tells least. */
const COMMON_TERM_SHARE = 0.1;

/**
 * BM25 of the text against the file's story: the messages of all commits that touched it, as one document.
 * It speaks the language of those who report faults, where code speaks that of those who write it.
 */
export const commitMessages: Signal = ({ memory, code, query, space, history }) => {
  const { files, termScores: worths } = space;
  const { messages } = memory.commits;
  const slope = LENGTH_PENALTY / (history.averageMessageLength || 1);
  const read = (term: string) => {
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
  accumulate(query.terms, files, (term) => worths.getOrCompute('story', term, files, read));
  return toSignalValues(space.files, code.fileCount);
};
