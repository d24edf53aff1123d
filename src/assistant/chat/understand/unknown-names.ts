import type { CodeTable, CommitTable } from '#memory/repository-index.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { detectQuestionLanguage } from './cues.ts';
import type { Mention } from './entities.ts';
import { tokenizeQuestion } from './question-tokens.ts';
import { isStopWord, topicWords } from './topic-words.ts';

/** Parts of a question that the repository has never had. */
export interface UnknownNames {
  /** Names of code, flags, paths and versions. */
  names: string[];
  /** Capitalised words within a sentence, in languages that do not capitalise nouns. */
  properNames: string[];
  /** Share of the topic's words that occur neither in the code nor in commit messages, 0 to 1. */
  wordShare: number;
}

/** Parts of a dotted name, a path or a flag. */
const NAME_PART = /[\p{L}\p{N}_$]+/gu;
const LOOKS_LIKE_CODE = /_|\p{Ll}\p{Lu}|\p{L}\d|^(?=.*\p{Lu})[\p{Lu}\d]{4,}$/u;
const PROPER_NAME = /(?<=[\p{L}\p{N},'’)] )\p{Lu}\p{Ll}[\p{L}\p{N}]+/gu;
/** Names before a number that is the version of something else. */
const OTHER_VERSION =
  /\b(?:python|node|java|php|ruby|go|rust|http|tls|ssl|ip|c\+\+|ecmascript|es|windows|ipv)[ /-]?$/i;
const MIN_MENTION_SCORE = 0.6;

/** Finds names and words of a question that neither the code nor its history has. */
export function findUnknownNames(
  question: string,
  mentions: readonly Mention[],
  { index: { code, commits } }: Pick<ToolContext, 'index'>,
): UnknownNames {
  if (!code) return { names: [], properNames: [], wordShare: 0 };
  const certain = mentions.filter(({ score }) => score >= MIN_MENTION_SCORE);
  const isLinked = (from: number, to: number) => certain.some(({ span }) => span[0] < to && from < span[1]);
  const vocabulary = { code, commits };
  const names = tokenizeQuestion(question)
    .tokens.filter(({ kind, span }) => {
      const written = question.slice(...span);
      if (kind === 'version') {
        return !isVersionOf(written, mentions) && !OTHER_VERSION.test(question.slice(0, span[0]));
      }
      return (
        (kind === 'code' || LOOKS_LIKE_CODE.test(written)) &&
        kind !== 'hash' &&
        isUnknown(written, vocabulary)
      );
    })
    .map(({ span }) => question.slice(...span).replace(/^[`"'“«„]|[`"'”»“]$/gu, ''));
  const capitals = detectQuestionLanguage(question) === 'de' ? [] : question.matchAll(PROPER_NAME);
  const properNames = Array.from(capitals)
    .filter(({ 0: word, index }) => !isLinked(index, index + word.length) && isUnknownWord(word, vocabulary))
    .map(([word]) => word);
  const unique = [...new Set(names)];
  return {
    names: unique,
    properNames: [...new Set(properNames)].filter((name) => !unique.includes(name)),
    wordShare: unknownShare(question, vocabulary),
  };
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
    !code.files.postings(term) &&
    !code.paths.postings(term) &&
    !commits.messages.postings(term)
  );
}

function unknownShare(question: string, { code, commits }: Vocabulary): number {
  const words = topicWords(question);
  const unknown = words.filter(({ variants }) =>
    variants.every(({ term }) => !code.files.postings(term) && !commits.messages.postings(term)),
  );
  return words.length === 0 ? 1 : unknown.length / words.length;
}
