import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import { inverseDocumentFrequency } from '#search/lexical/bm25.ts';
import { scoreCommits } from '#search/lexical/rank-documents.ts';
import { forEachTerm } from '#search/lexical/word-terms.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type TopicWord, topicWords } from '../understand/topic-words.ts';

/** A commit with the information that its message shares with a topic. */
interface RelevantCommit {
  commit: number;
  /** Nats, higher for a subject about nothing else. */
  score: number;
  /** Probability-like certainty that the commit is about the topic, 0 to 1. */
  certainty: number;
}

const MAX_CANDIDATES = 300;
const MAX_BODY_LENGTH = 4_000;
const BODY_STRENGTH = 0.65;
const FOCUS_SHARE = 0.45;
/** Information of about two rare words of a history of so many commits makes a commit certain; less in a smaller one. */
const CERTAIN_NATS = 11;
const CERTAIN_COMMITS = 2_000;
const MIN_CERTAIN_WORDS = 2;
/** Nats of a word that counts as one of them. */
const MIN_INFORMATION = 2;
const SINGLE_WORD_FACTOR = 0.75;

/**
 * Ranks commits by the information that their messages share with a topic, Σ idf of the shared words. Unlike a share of the
 * topic, the sum is not lowered by words that a long question has beside its subject.
 */
export function rankByInformation(
  topic: string,
  { index }: Pick<ToolContext, 'index'>,
  { accepts = () => true, limit = 20 }: { accepts?: (commit: number) => boolean; limit?: number } = {},
): RelevantCommit[] {
  const { commits } = index;
  const frequency = (term: string) => documentFrequency(commits.messages, term);
  const words = topicWords(topic)
    .map((word) => ({ ...word, information: informationOf(word, frequency, commits.count) }))
    .filter(({ information }) => information > 0);
  const terms = words.flatMap(({ variants, information }) =>
    variants.map(({ term, strength }) => ({ term, count: 1, weight: (strength * information) / 5 })),
  );
  return scoreCommits(index, terms)
    .topK(MAX_CANDIDATES)
    .map(({ doc }) => doc)
    .filter((commit) => accepts(commit) && commits.parents(commit).length < 2)
    .map((commit) => ({ commit, ...scoreCommit(commit, words, commits, frequency) }))
    .sort((a, b) => b.score - a.score || a.commit - b.commit)
    .slice(0, limit);
}

/** Information of a word by its commonest variant; 0 for a word of no message. */
function informationOf(
  { variants, weight }: TopicWord,
  frequency: (term: string) => number,
  count: number,
): number {
  const most = Math.max(0, ...variants.map(({ term }) => frequency(term)));
  return most === 0 ? 0 : weight * inverseDocumentFrequency(count, most);
}

function scoreCommit(
  commit: number,
  words: (TopicWord & { information: number })[],
  commits: CommitTable,
  frequency: (term: string) => number,
): { score: number; certainty: number } {
  const subject = termsOf(commits.subject(commit));
  const body = termsOf(commits.message(commit).slice(0, MAX_BODY_LENGTH));
  const known = new Set<string>();
  const scale = Math.min(1, Math.log1p(commits.count) / Math.log(CERTAIN_COMMITS));
  let [shared, matched] = [0, 0];
  for (const { variants, information } of words) {
    const strengths = variants.map(({ term, strength }) => {
      if (subject.has(term)) known.add(term);
      return subject.has(term) ? strength : body.has(term) ? strength * BODY_STRENGTH : 0;
    });
    const best = Math.max(0, ...strengths);
    shared += best * information;
    if (best > 0 && information > MIN_INFORMATION * scale) matched += 1;
  }
  let [total, focused] = [0, 0];
  for (const term of subject) {
    const information = inverseDocumentFrequency(commits.count, frequency(term));
    total += information;
    if (known.has(term)) focused += information;
  }
  const focus = total === 0 ? 0 : focused / total;
  const score = shared * (1 - FOCUS_SHARE + FOCUS_SHARE * focus);
  const certainty = 1 - Math.exp(-score / (scale * (CERTAIN_NATS / 2)));
  return { score, certainty: matched >= MIN_CERTAIN_WORDS ? certainty : certainty * SINGLE_WORD_FACTOR };
}

function termsOf(text: string): Set<string> {
  const found = new Set<string>();
  forEachTerm(text, (term) => found.add(term));
  return found;
}
