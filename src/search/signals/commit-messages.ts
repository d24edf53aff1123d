import { addUp } from '../scoring/term-score-cache.ts';
import type { Signal } from './signal.ts';
import { scoresOf } from './whole-file.ts';

/** How strongly a long story is discounted. */
const LENGTH_PENALTY = 0.75;

/** A term in more than this share of all messages is passed over: it costs most and tells least. */
const COMMON = 0.1;

/**
 * BM25 of the text against the file's story: the messages of all commits that touched it, as one document.
 * It speaks the language of those who report faults, where code speaks that of those who write it.
 */
export const story: Signal = ({ memory, code, query, space, history }) => {
  const { files, worths } = space;
  const { messages } = memory.commits;
  const slope = LENGTH_PENALTY / (history.averageStory || 1);
  const read = (term: string) => {
    const postings = messages.postings(term);
    if (!postings || postings.docs.length > Math.max(20, COMMON * messages.count)) return;
    for (let i = 0; i < postings.docs.length; i++) {
      const commit = postings.docs[i]!;
      for (let at = history.starts[commit]!; at < history.starts[commit + 1]!; at++) {
        const file = history.files[at]!;
        const norm = 1 - LENGTH_PENALTY + slope * history.storyLengths[file]!;
        files.add(file, postings.counts[i]! / norm);
      }
    }
  };
  addUp(query.terms, files, (term) => worths.of('story', term, files, read));
  return scoresOf(space.files, code.fileCount);
};
