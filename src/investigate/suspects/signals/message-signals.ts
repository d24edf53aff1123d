import { terms } from '#memory/tokens.ts';
import type { Query, QueryTerm } from '#search/query/parse-query.ts';
import { weightTerms } from '#search/query/parse-query.ts';
import { inverseDocumentFrequency } from '#search/scoring/bm25f-scorer.ts';
import { TermCounter } from '#search/terms/term-counter.ts';
import { documentFrequency } from '../../text/document-frequency.ts';
import { saturate } from '../../text/error-words.ts';
import { sharedMessageMass, scoreMessages } from '../message-scores.ts';
import { type SuspectInput, type SuspectSignal, scaleToUnit } from '../suspect-signal.ts';

/** Likeness of the message: BM25 of all words of the error, less where even the likest shares little with it. */
export const message: SuspectSignal = (input) => {
  const { memory, words, commits, query } = input;
  const alike = bm25(input, query.terms);
  return alike.map((value, index) => {
    return value * saturate(sharedMessageMass(words, memory, commits[index]!));
  });
};

/** Likeness of the message to the error's first line alone. */
export const title: SuspectSignal = (input) => bm25(input, input.query.zones.title);

function bm25({ memory, commits }: SuspectInput, terms: QueryTerm[]): Float64Array {
  const { scores } = scoreMessages(memory, terms);
  return scaleToUnit(commits.map((commit) => scores[commit]!));
}

/** Likeness of the subject to the error's first line, by the rarity of their common words in messages. */
export const subject: SuspectSignal = ({ memory, query, commits }) => {
  const { messages } = memory.commits;
  const rarity = new Map(
    query.zones.title.map(({ term }) => {
      return [term, inverseDocumentFrequency(messages.count, documentFrequency(messages, term))];
    }),
  );
  return scaleToUnit(
    commits.map((commit) => {
      const own = new Set(terms(memory.commits.subject(commit)));
      const shared = [...own].reduce((sum, term) => sum + (rarity.get(term) ?? 0), 0);
      return shared / Math.sqrt(own.size + 4);
    }),
  );
};

/** Words that look like code: with `_`, digits or capitals inside. */
const CODE_WORD = /\b(?=\w*[\p{L}])\w*(?:[\p{Ll}\d]\p{Lu}|_|\d)\w*\b/gu;

/** Likeness of the message to the names of code in the error alone: `getpath`, `core.fsyncMethod`. */
export const names: SuspectSignal = (input) => bm25(input, namesIn(input.query));

/** The names of code in a question, the same list each time. */
function namesIn(query: Query): QueryTerm[] {
  let terms = namesOf.get(query);
  if (!terms) {
    const named = weightTerms((query.text.match(CODE_WORD) ?? []).join(' '));
    terms = [...new Map([...query.zones.quoted, ...named].map((term) => [term.term, term])).values()];
    namesOf.set(query, terms);
  }
  return terms;
}

const namesOf = new WeakMap<Query, QueryTerm[]>();

/** Words rarer than one in so many messages tell a thing apart. */
const RARE = 500;

/** Share of the error's rare words, by their rarity in messages, that the message has too. */
export const rare: SuspectSignal = ({ memory, query, commits }) => {
  const { messages } = memory.commits;
  const values = new Float64Array(commits.length);
  const place = new Map(commits.map((commit, index) => [commit, index]));
  let total = 0;
  for (const { term } of query.terms) {
    if (documentFrequency(messages, term) > messages.count / RARE) continue;
    const docs = messages.postings(term)?.docs ?? [];
    const idf = inverseDocumentFrequency(messages.count, docs.length);
    total += idf;
    for (const commit of docs) {
      const at = place.get(commit);
      if (at !== undefined) values[at]! += idf;
    }
  }
  return total === 0 ? values : values.map((value) => value / total);
};

/** Where a subject says what it is about: `stash: …`, `fix(router): …`, `[MRG] tests: …`. */
const AREA = /^(?:\[[^\]]*\]\s*)?(?:\w+\(([\w./ -]+)\)!?|([\w./-]+(?:\s?[\w./-]+)?)):\s/;
/** Kinds of change that conventional subjects begin with name no area. */
const KINDS = /^(?:fix|feat|chore|docs?|refactor|test|perf|style|build|ci|revert)$/i;

/** 1 where the subject names the same area as the error's first line. */
export const area: SuspectSignal = ({ memory, query, commits }) => {
  const own = areaOf(query.text.trimStart());
  return commits.map((commit) => Number(own !== null && areaOf(memory.commits.subject(commit)) === own));
};

function areaOf(subject: string): string | null {
  const found = AREA.exec(subject);
  const name = found?.[1] ?? found?.[2];
  return name && !KINDS.test(name) ? name.toLowerCase() : null;
}

/** What parts sentences: words on either side are no pair. */
const PARTS = /[.;:!?()](?:\s|$)|\n/;

/** Characters of one message whose pairs are read: what comes later is a log or a listing. */
const READ = 20_000;

/** Pairs of neighbouring words that the error and the message share, by their rarity among the candidates. */
export const pairs: SuspectSignal = ({ memory, query, commits }) => {
  const pairsIn = pairReader(new TermCounter(query.terms.map(({ term }) => term)));
  const wanted = pairsIn(query.text);
  const shared = commits.map((commit) => {
    const found = pairsIn(memory.commits.message(commit).slice(0, READ));
    return [...found].filter((pair) => wanted.has(pair));
  });
  const holders = new Map<string, number>();
  for (const found of shared) for (const pair of found) holders.set(pair, (holders.get(pair) ?? 0) + 1);
  return scaleToUnit(
    shared.map((found) =>
      found.reduce((sum, pair) => sum + Math.log(1 + commits.length / holders.get(pair)!), 0),
    ),
  );
};

/** Reads the pairs of some terms in texts. */
function pairReader(own: TermCounter): (text: string) => Set<string> {
  return (text) => {
    const pairs = new Set<string>();
    for (const part of text.split(PARTS)) {
      let before: string | null = null;
      own.scan(part, (term) => {
        if (before !== null && term !== null) pairs.add(`${before} ${term}`);
        before = term;
      });
    }
    return pairs;
  };
}

/** Subjects of fewer characters are found in anything. */
const LEAST_SUBJECT = 16;

/** 1 where the error quotes the commit's whole subject, as people do who have an idea already. */
export const quoted: SuspectSignal = ({ memory, query, commits }) => {
  const text = plain(query.text);
  return commits.map((commit) => {
    const subject = plain(memory.commits.subject(commit));
    return Number(subject.length >= LEAST_SUBJECT && text.includes(subject));
  });
};

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
