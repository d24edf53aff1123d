import type { RepositoryIndex } from '#memory/repository-index.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import type { Entity, Mention } from './entities.ts';
import { plainText } from './question-tokens.ts';

/** Text in quotation marks, of which several words may be the subject of a commit. */
const QUOTED =
  /["“«„`](?<marked>[^"”»“`\n]{6,150})["”»“`]|(?<![\p{L}\p{N}])['‘](?<single>[^'’\n]{6,150})['’](?![\p{L}\p{N}])/gu;
const MIN_WORDS = 2;
/** Words of a part of a subject; fewer could be a phrase of many commits. */
const MIN_WORDS_OF_PART = 3;
const MAX_CANDIDATES = 3_000;
const MAX_ALTERNATIVES = 4;
const WHOLE_SCORE = 0.99;
const PART_SCORE = 0.93;
/** Short quotes are mostly texts of the program; they are parts of subjects where the question speaks of commits. */
const MIN_WORDS_OF_SUBJECT = 5;
const SHORT_PART_SCORE = 0.3;
const COMMIT_NOUN =
  /\b(?:commits?|change ?sets?|pull requests?|prs?|merges?|patch|revision|message|subject|titled?|mensaje|änderung|cambio|changement)\b/iu;

/** Links quoted text to the commits whose subject it is, or begins or contains, the oldest first. */
export function linkSubjects(text: string, index: RepositoryIndex): Mention[] {
  return Array.from(text.matchAll(QUOTED)).flatMap((match): Mention[] => {
    const quoted = normalizeSubject(match.groups!.marked ?? match.groups!.single ?? '');
    const words = quoted.split(' ').length;
    if (words < MIN_WORDS) return [];
    const span: [number, number] = [match.index, match.index + match[0].length];
    const subjects = commitsWithTerms(quoted, index).map((commit) => {
      return { commit, subject: normalizeSubject(index.commits.subject(commit)) };
    });
    const whole = subjects.filter(({ subject }) => subject === quoted);
    const parts =
      words < MIN_WORDS_OF_PART
        ? []
        : subjects.filter(({ subject }) => ` ${subject} `.includes(` ${quoted} `));
    const [first, ...others] = (whole.length > 0 ? whole : parts)
      .toSorted((a, b) => b.commit - a.commit)
      .map(({ commit }): Entity => ({ kind: 'commit', commit }));
    if (!first) return [];
    const alternatives = others.slice(0, MAX_ALTERNATIVES);
    const isSubject = words >= MIN_WORDS_OF_SUBJECT || COMMIT_NOUN.test(text);
    const score = whole.length > 0 ? WHOLE_SCORE : isSubject ? PART_SCORE : SHORT_PART_SCORE;
    return [{ entity: first, span, score, alternatives }];
  });
}

/** Words of a subject, without the number of its pull request and the type of a conventional commit. */
function normalizeSubject(subject: string): string {
  return plainText(subject)
    .replace(/\(?#\d+\)?/g, ' ')
    .replace(/^[a-z]+(?:\([^)]*\))?!?: /, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Commits that have the rarest word of a text. */
function commitsWithTerms(text: string, { commits }: RepositoryIndex): number[] {
  const lists = text
    .split(' ')
    .flatMap((word) => cachedWordTerms(word).slice(0, 1))
    .map((term) => commits.messages.postings(term)?.docs.slice() ?? null);
  const known = lists.filter((docs) => docs !== null).toSorted((a, b) => a.length - b.length);
  return Array.from(known[0]?.slice(0, MAX_CANDIDATES) ?? []);
}
