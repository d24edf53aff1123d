import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import type { CodeTable, CommitTable } from '#memory/repository-index.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import { findText } from '../../tools/find-text.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { detectQuestionLanguage } from './cues.ts';
import { isDeveloperWord } from './developer-words.ts';
import type { Mention } from './entities.ts';
import { findUnlinkedReferences } from './link-history.ts';
import { OTHER_PROGRAM } from './link-versions.ts';
import { asksOutside } from './outside-cues.ts';
import { type QuestionToken, tokenizeQuestion } from './question-tokens.ts';
import { isStopWord, topicWords } from './topic-words.ts';

/** Parts of a question that the repository has never had. */
export interface UnknownNames {
  /** Names of code, flags and paths. */
  names: string[];
  /** Versions without a tag. */
  versions: string[];
  /** Periods that ended before the first commit. */
  periods: string[];
  /** Hashes that no commit has. */
  commits: string[];
  /** `#123` that no commit message names. */
  issues: string[];
  /** First and last names of people who wrote no commit. */
  people: string[];
  /** Capitalised words within a sentence, in languages that do not capitalise nouns. */
  properNames: string[];
  /** Words of an English question that developers seldom write, such as the names of other projects. */
  foreignWords: string[];
  /** True for a question about opinions, plans or numbers of users, which no repository records. */
  asksOutside: boolean;
  /** Share of the topic's words that occur neither in the code nor in commit messages, 0 to 1. */
  wordShare: number;
}

/** Parts of a dotted name, a path or a flag. */
const NAME_PART = /[\p{L}\p{N}_$]+/gu;
const LOOKS_LIKE_CODE = /_|\p{Ll}\p{Lu}|\p{L}\d|^(?=.*\p{Lu})[\p{Lu}\d]{4,}$/u;
const PROPER_NAME = /(?<=[\p{L}\p{N},'’)] )\p{Lu}\p{Ll}[\p{L}\p{N}]+/gu;
/** Before a number that is no version: `n^1.5`. */
const OTHER_NUMBER = /[\^(*×]$/;
const DATE = /^\d{1,2}\.\d{1,2}\.\d{4}$/;
/** A long flag of several words. */
const FLAG = /(?<![\w)\]-])--[a-z]\w*(?:-\w+)+/gi;
const MAX_FLAGS = 2;
const FLAG_TIMEOUT_MS = 500;
/** `Ada Byron`, `Ada de Byron`. */
const FULL_NAME =
  /(?<![\p{L}\p{N}])(?=(\p{Lu}\p{Ll}{2,}(?: (?:van|von|de|der|den|del|di|da|la|le|el|ter)){0,2} \p{Lu}\p{Ll}{2,})(?![\p{L}\p{N}_]))/gu;
const PLAIN_WORD = /(?<![\p{L}\p{N}_$./'’-])[A-Za-z][a-z]{3,}(?![\p{L}\p{N}_$/'’-]|\.\w|\()/gu;
const MIN_MENTION_SCORE = 0.6;
/** Certainty from which a name that is linked, such as to a deleted file, is known. */
const MIN_LINKED_SCORE = 0.9;

/** Finds names and words of a question that neither the code nor its history has. */
export async function findUnknownNames(
  question: string,
  mentions: readonly Mention[],
  context: Pick<ToolContext, 'repo' | 'index' | 'signal'>,
): Promise<UnknownNames> {
  const { code, commits } = context.index;
  if (!code) {
    const nothing = { names: [], versions: [], periods: [], commits: [], issues: [], people: [] };
    return { ...nothing, properNames: [], foreignWords: [], asksOutside: false, wordShare: 0 };
  }
  const certain = mentions.filter(({ score }) => score >= MIN_MENTION_SCORE);
  const isLinked = (from: number, to: number) => certain.some(({ span }) => span[0] < to && from < span[1]);
  const vocabulary = { code, commits };
  const { tokens } = tokenizeQuestion(question);
  const written = (kind: 'name' | 'version') => [
    ...new Set(
      tokens
        .filter((token) => isUnknownToken(token, kind, { question, mentions, vocabulary }))
        .map(({ span }) => question.slice(...span).replace(/^[`"'“«„]|[`"'”»“]$/gu, '')),
    ),
  ];
  const known = written('name');
  const flags = await findUnknownFlags(question, isLinked, context);
  const names = [...new Set([...known, ...flags])];
  const isGerman = detectQuestionLanguage(question) === 'de';
  const people = isGerman ? [] : findUnknownPeople(question, isLinked, vocabulary);
  const capitals = isGerman ? [] : question.matchAll(PROPER_NAME);
  const properNames = Array.from(capitals)
    .filter(({ 0: word, index }) => !isLinked(index, index + word.length) && isUnknownWord(word, vocabulary))
    .map(([word]) => word);
  const { hashes, issues } = findUnlinkedReferences(question, isLinked);
  const unknownCommits = hashes.filter((hash) => isUnknownWord(hash, vocabulary));
  return {
    ...{ names, versions: written('version'), periods: findEarlierPeriods(certain, commits) },
    ...{ commits: unknownCommits, issues, people },
    properNames: [...new Set(properNames)].filter((name) => !names.includes(name)),
    foreignWords: findForeignWords(question, isLinked, vocabulary),
    asksOutside: asksOutside(question),
    wordShare: unknownShare(question, vocabulary),
  };
}

/** Time of the oldest indexed commit, in seconds since 1970. */
export function firstCommitTime(commits: CommitTable): number {
  let first = Number.POSITIVE_INFINITY;
  for (let commit = 0; commit < commits.count; commit++) {
    if (commits.time(commit) < first) first = commits.time(commit);
  }
  return first;
}

function findEarlierPeriods(mentions: readonly Mention[], commits: CommitTable): string[] {
  const dated = mentions.flatMap(({ entity }) =>
    entity.kind === 'range' && entity.to.oid === null ? [entity] : [],
  );
  if (dated.length === 0) return [];
  const first = firstCommitTime(commits);
  return dated
    .filter(({ to }) => to.time < first)
    .map(({ from, to }) =>
      from.label === '' || from.label === to.label ? to.label : `${from.label} – ${to.label}`,
    );
}

function isUnknownToken(
  { kind, span }: QuestionToken,
  wanted: 'name' | 'version',
  {
    question,
    mentions,
    vocabulary,
  }: { question: string; mentions: readonly Mention[]; vocabulary: Vocabulary },
): boolean {
  const written = question.slice(...span);
  if (kind === 'version') {
    return (
      wanted === 'version' &&
      !isVersionOf(written, mentions) &&
      !isOtherNumber(written, question.slice(0, span[0]))
    );
  }
  // `10M` is an amount.
  if (/^\d/.test(written)) return false;
  if (mentions.some((mention) => mention.score >= MIN_LINKED_SCORE && overlaps(mention.span, span)))
    return false;
  const isName = kind === 'code' || (kind !== 'hash' && LOOKS_LIKE_CODE.test(written));
  return wanted === 'name' && isName && isUnknown(written, vocabulary);
}

function overlaps(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] < b[1] && b[0] < a[1];
}

/** Flags that no file has, although their words may occur together. */
async function findUnknownFlags(
  question: string,
  isLinked: (from: number, to: number) => boolean,
  context: Pick<ToolContext, 'repo' | 'index' | 'signal'>,
): Promise<string[]> {
  const flags = Array.from(question.matchAll(FLAG))
    .filter(({ 0: flag, index: at }) => !isLinked(at, at + flag.length))
    .slice(0, MAX_FLAGS);
  const limits = { maxMatches: 1, timeoutMs: FLAG_TIMEOUT_MS };
  const found = await Promise.all(
    flags.map(async ([flag]) => {
      const lines = await findText(flag.replace(/^-+/, ''), context, limits);
      return lines.length === 0 ? [flag] : [];
    }),
  );
  return found.flat();
}

/** First and last names that are not linked to a person, of which one occurs nowhere. */
function findUnknownPeople(
  question: string,
  isLinked: (from: number, to: number) => boolean,
  vocabulary: Vocabulary,
): string[] {
  return Array.from(question.matchAll(FULL_NAME))
    .filter(({ 1: name, index }) => !isLinked(index, index + name!.length))
    .map(({ 1: name }) => name!)
    .filter((name) => {
      const words = name.match(/\p{Lu}\p{Ll}+/gu)!;
      return (
        words.every((word) => !isDeveloperWord(word.toLowerCase())) &&
        words.some((word) => isUnknownWord(word, vocabulary))
      );
    });
}

function findForeignWords(
  question: string,
  isLinked: (from: number, to: number) => boolean,
  vocabulary: Vocabulary,
): string[] {
  if (detectQuestionLanguage(question) !== 'en') return [];
  const words = Array.from(question.matchAll(PLAIN_WORD))
    .filter(({ 0: word, index }) => !isLinked(index, index + word.length))
    .map(([word]) => word.toLowerCase())
    .filter((word) => !isDeveloperWord(word) && !isDeveloperWord(word.replace(/(?:es|s|ed|d|ing|ly)$/, '')))
    .filter((word) => isUnknownWord(word, vocabulary));
  return [...new Set(words)];
}

/** True for a date, a factor, or the version of another program. */
function isOtherNumber(written: string, before: string): boolean {
  return DATE.test(written) || OTHER_NUMBER.test(before) || OTHER_PROGRAM.test(before);
}

/** True when a mention of a version or a range has this version. */
function isVersionOf(written: string, mentions: readonly Mention[]): boolean {
  const version = plainVersion(written.replace(/^v/i, ''));
  return mentions.some(({ entity }) => {
    if (entity.kind === 'version') return plainVersion(entity.tag).includes(version);
    const ends = entity.kind === 'range' ? [entity.from, entity.to] : [];
    return ends.some(({ label }) => plainVersion(label).includes(version));
  });
}

/** `2.1.0b2` of `2.1.0b2` and `rel_2_1_0b2`. */
function plainVersion(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]+/g, '.');
}

interface Vocabulary {
  code: CodeTable;
  commits: CommitTable;
}

/** True when a part that looks like code is nowhere, or no passage has all parts of a flag. */
function isUnknown(written: string, vocabulary: Vocabulary): boolean {
  const parts = written.match(NAME_PART) ?? [];
  if (/^['"`“«„]?--?\p{L}/u.test(written)) return !occurTogether(parts, vocabulary);
  const isQuotedProse = /^["“«„'].*\s/u.test(written);
  return parts.some(
    (part) => (!isQuotedProse || LOOKS_LIKE_CODE.test(part)) && isUnknownWord(part, vocabulary),
  );
}

function occurTogether(parts: readonly string[], { code, commits }: Vocabulary): boolean {
  const terms = parts.flatMap((part) => cachedWordTerms(part).slice(0, 1));
  return [code.field('body'), code.field('prose'), commits.messages].some((field) => {
    const [first = [], ...rest] = terms.map((term) => field.postings(term)?.docs ?? []);
    const others = rest.map((docs) => new Set(docs));
    return Array.from(first).some((doc) => others.every((docs) => docs.has(doc)));
  });
}

function isUnknownWord(word: string, { code, commits }: Vocabulary): boolean {
  if (isStopWord(word)) return false;
  const [term] = cachedWordTerms(word);
  return (
    term !== undefined &&
    [code.files, code.paths, commits.messages].every((field) => documentFrequency(field, term) === 0)
  );
}

function unknownShare(question: string, { code, commits }: Vocabulary): number {
  const words = topicWords(question);
  const unknown = words.filter(({ variants }) =>
    variants.every(({ term }) =>
      [code.files, commits.messages].every((field) => documentFrequency(field, term) === 0),
    ),
  );
  return words.length === 0 ? 1 : unknown.length / words.length;
}
