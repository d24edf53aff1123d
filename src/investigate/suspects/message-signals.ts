import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import { terms } from '#memory/tokens.ts';
import { inverseDocumentFrequency } from '#search/lexical/bm25.ts';
import { type Query, type QueryTerm, weightTerms } from '#search/lexical/parse-query.ts';
import { TermCounter } from '#search/lexical/term-counter.ts';
import { documentFrequency } from '../locate/document-frequency.ts';
import { saturate } from '../locate/error-words.ts';
import { scoreMessages, sharedMessageMass } from './message-scores.ts';
import { type SuspectInput, type SuspectSignal, scaleToUnit } from './suspect-signal.ts';

/** BM25 of the message against the whole error, reduced where even the best match shares few rare words. */
const message: SuspectSignal = (input) => {
  const { index, words, commits, query } = input;
  const scores = bm25OfMessages(input, query.terms);
  return scores.map((score, i) => {
    return score * saturate(sharedMessageMass(words, index, commits[i]!));
  });
};

/** BM25 of the message against the first line of the error. */
const title: SuspectSignal = (input) => bm25OfMessages(input, input.query.zones.title);

function bm25OfMessages({ index, commits }: SuspectInput, queryTerms: QueryTerm[]): Float64Array {
  const { scores } = scoreMessages(index, queryTerms);
  return scaleToUnit(commits.map((commit) => scores[commit]!));
}

/** Idf of the words shared by the subject and the first line of the error, normalized by the subject's length. */
const subject: SuspectSignal = ({ index, query, commits }) => {
  const { messages } = index.commits;
  const idfs = new Map(
    query.zones.title.map(({ term }) => {
      return [term, inverseDocumentFrequency(messages.count, documentFrequency(messages, term))];
    }),
  );
  return scaleToUnit(
    commits.map((commit) => {
      const subjectTerms = new Set(terms(index.commits.subject(commit)));
      const shared = [...subjectTerms].reduce((sum, term) => sum + (idfs.get(term) ?? 0), 0);
      return shared / Math.sqrt(subjectTerms.size + 4);
    }),
  );
};

/** Code-like words: with an underscore, a digit or an inner capital. */
const CODE_WORD = /\b(?=\w*[\p{L}])\w*(?:[\p{Ll}\d]\p{Lu}|_|\d)\w*\b/gu;

/** BM25 of the message against the identifiers in the error: `getpath`, `core.fsyncMethod`. */
const identifiers: SuspectSignal = (input) => bm25OfMessages(input, identifiersIn(input.query));

/** Identifiers in a query, as the same array each time, since scores are cached by it. */
const identifiersIn = memoizeByIdentity((query: Query): QueryTerm[] => {
  const codeWords = weightTerms((query.text.match(CODE_WORD) ?? []).join(' '));
  return [...new Map([...query.zones.inlineCode, ...codeWords].map((term) => [term.term, term])).values()];
});

/** Terms in at most one of so many messages are rare. */
const RARE_TERM_DIVISOR = 500;

/** Share of the error's rare terms, by idf in messages, that the message contains. */
const rareTerms: SuspectSignal = ({ index, query, commits }) => {
  const { messages } = index.commits;
  const values = new Float64Array(commits.length);
  const indexes = new Map(commits.map((commit, i) => [commit, i]));
  let total = 0;
  for (const { term } of query.terms) {
    if (documentFrequency(messages, term) > messages.count / RARE_TERM_DIVISOR) continue;
    const docs = messages.postings(term)?.docs ?? [];
    const idf = inverseDocumentFrequency(messages.count, docs.length);
    total += idf;
    for (const commit of docs) {
      const i = indexes.get(commit);
      if (i !== undefined) values[i]! += idf;
    }
  }
  return total === 0 ? values : values.map((value) => value / total);
};

/** Scope of a subject: `stash: …`, `fix(router): …`, `[MRG] tests: …`. */
const SCOPE = /^(?:\[[^\]]*\]\s*)?(?:\w+\(([\w./ -]+)\)!?|([\w./-]+(?:\s?[\w./-]+)?)):\s/;
/** Types of conventional commits, which are no scopes. */
const COMMIT_TYPE = /^(?:fix|feat|chore|docs?|refactor|test|perf|style|build|ci|revert)$/i;

/** 1 where the subject has the same scope as the first line of the error. */
const scope: SuspectSignal = ({ index, query, commits }) => {
  const own = scopeOf(query.text.trimStart());
  return commits.map((commit) => Number(own !== null && scopeOf(index.commits.subject(commit)) === own));
};

function scopeOf(subject: string): string | null {
  const match = SCOPE.exec(subject);
  const name = match?.[1] ?? match?.[2];
  return name && !COMMIT_TYPE.test(name) ? name.toLowerCase() : null;
}

/** Sentence boundaries, which bigrams do not span. */
const SENTENCE_BOUNDARY = /[.;:!?()](?:\s|$)|\n/;

/** Characters read per message; what follows is a log or a listing. */
const MAX_MESSAGE_LENGTH = 20_000;

/** Word bigrams shared by the error and the message, weighted by their rarity among the candidates. */
const bigrams: SuspectSignal = ({ index, query, commits }) => {
  const bigramsIn = bigramReader(new TermCounter(query.terms.map(({ term }) => term)));
  const queryBigrams = bigramsIn(query.text);
  const shared = commits.map((commit) => {
    const found = bigramsIn(index.commits.message(commit).slice(0, MAX_MESSAGE_LENGTH));
    return [...found].filter((bigram) => queryBigrams.has(bigram));
  });
  const counts = new Map<string, number>();
  for (const found of shared) for (const bigram of found) counts.set(bigram, (counts.get(bigram) ?? 0) + 1);
  return scaleToUnit(
    shared.map((found) =>
      found.reduce((sum, bigram) => sum + Math.log(1 + commits.length / counts.get(bigram)!), 0),
    ),
  );
};

/** Returns a function that lists the bigrams of the counter's terms in a text. */
function bigramReader(counter: TermCounter): (text: string) => Set<string> {
  return (text) => {
    const found = new Set<string>();
    for (const sentence of text.split(SENTENCE_BOUNDARY)) {
      let previous: string | null = null;
      counter.scan(sentence, (term) => {
        if (previous !== null && term !== null) found.add(`${previous} ${term}`);
        previous = term;
      });
    }
    return found;
  };
}

/** Shorter subjects occur in any text. */
const MIN_SUBJECT_LENGTH = 16;

/** 1 where the error quotes the commit's whole subject, as reporters do who have a suspicion. */
const quotedSubject: SuspectSignal = ({ index, query, commits }) => {
  const text = normalize(query.text);
  return commits.map((commit) => {
    const own = normalize(index.commits.subject(commit));
    return Number(own.length >= MIN_SUBJECT_LENGTH && text.includes(own));
  });
};

function normalize(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

export const messageSignals = {
  message,
  title,
  subject,
  identifiers,
  rareTerms,
  scope,
  bigrams,
  quotedSubject,
};
