import { isNonSource } from '#evolution/fixes.ts';
import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { inverseDocumentFrequency } from '#search/lexical/bm25.ts';
import { selectTopK } from '#search/lexical/top-k.ts';
import { isCommonWord } from './common-words.ts';
import { namesDefinedIn } from './defined-names.ts';
import { matchName } from './match-name.ts';
import { nameTerms } from './path-table.ts';
import {
  CODE_NOUNS,
  hasNeighbor,
  isInsideToken,
  type QuestionWord,
  questionWords,
} from './question-words.ts';

/** A definition that words of the question name. */
interface SymbolMatch {
  /** Full name as defined. */
  name: string;
  span: [number, number];
  score: number;
}

const MAX_CANDIDATES = 250;
/** Passages whose text is read for the names of small definitions. */
const MAX_READ = 30;
const NOUN_BONUS = 0.25;
const TEST_FACTOR = 0.9;
const TEST_WORD_FACTOR = 0.7;
/** One word with more definitions names none of them. */
const MAX_DEFINITIONS = 8;
const COMMON_FACTOR = 0.7;
/** For a part of a token with hyphens. */
const TOKEN_FACTOR = 0.6;

/** Finds definitions whose names have the words of the question in any spelling and order, best first. */
export function findNamedSymbols(
  text: string,
  code: CodeTable,
  projects: ReadonlySet<string>,
): SymbolMatch[] {
  const words = questionWords(text, projects);
  const cache = new Map<string, number>();
  const information = (term: string) => {
    const known = cache.get(term);
    if (known !== undefined) return known;
    const frequency = documentFrequency(code.field('symbol'), term);
    const value = inverseDocumentFrequency(code.passageCount, frequency);
    cache.set(term, value);
    return value;
  };
  const names = candidateNames(words, code, information);
  return [...names]
    .flatMap(([name, passage]) => matchSymbol(name, passage, { text, words, code, information }) ?? [])
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length);
}

/** Names with the most information of the question, and one passage of each. */
function candidateNames(
  words: QuestionWord[],
  code: CodeTable,
  information: (term: string) => number,
): Map<string, number> {
  const { scores, counts } = scorePassages(words, code, information);
  const names = new Map<string, number>();
  const vocabulary = new Set(words.flatMap(({ topic }) => topic.variants.map(({ term }) => term)));
  let reads = 0;
  for (const { doc: passage } of selectTopK(scores.keys(), (doc) => scores.get(doc)!, MAX_CANDIDATES)) {
    const symbol = code.passageSymbol(passage);
    const terms = symbol === null ? [] : nameTerms(symbol).filter((term) => vocabulary.has(term));
    const isComplete = terms.length >= counts.get(passage)!;
    const found =
      isComplete || reads++ >= MAX_READ ? (symbol === null ? [] : [symbol]) : namesDefinedIn(code, passage);
    for (const name of found) addWithContainers(name, passage, names);
  }
  return names;
}

/** Information of the question's words in the names that each passage defines, and the number of these words. */
function scorePassages(
  words: QuestionWord[],
  code: CodeTable,
  information: (term: string) => number,
): { scores: Map<number, number>; counts: Map<number, number> } {
  const scores = new Map<number, number>();
  const counts = new Map<number, number>();
  const maxDocs = Math.max(200, code.passageCount / 4);
  for (const { topic } of words) {
    const ofWord = new Map<number, number>();
    for (const { term, strength } of topic.variants) {
      const docs = code.field('symbol').postings(term)?.docs ?? [];
      if (docs.length > maxDocs) continue;
      const value = information(term) * strength;
      for (const passage of docs) ofWord.set(passage, Math.max(value, ofWord.get(passage) ?? 0));
    }
    for (const [passage, value] of ofWord) {
      scores.set(passage, (scores.get(passage) ?? 0) + value);
      counts.set(passage, (counts.get(passage) ?? 0) + 1);
    }
  }
  return { scores, counts };
}

/** Adds `A.B.c`, and `A.B` and `A` as names of their own. */
function addWithContainers(name: string, passage: number, names: Map<string, number>): void {
  for (let at = name.length; at > 0; at = name.lastIndexOf('.', at - 1)) {
    const full = name.slice(0, at);
    if (names.has(full)) return;
    names.set(full, passage);
  }
}

interface SymbolInput {
  text: string;
  words: QuestionWord[];
  code: CodeTable;
  information: (term: string) => number;
}

function matchSymbol(
  name: string,
  passage: number,
  { text, words, code, information }: SymbolInput,
): SymbolMatch | null {
  const dot = name.lastIndexOf('.');
  const terms = nameTerms(name.slice(dot + 1));
  const path = code.filePath(code.passageFiles(passage)[0]!);
  const context = new Set(nameTerms(`${dot < 0 ? '' : name.slice(0, dot)} ${path}`));
  const match = matchName(words, { name: terms, context }, information);
  if (!match || code.passagesDefining(name).length === 0) return null;
  const isTest = isNonSource(path) && !/test|spec|prueba/i.test(text);
  const isCommon =
    match.terms === 1 && (isCommonWord(terms, code) || definitionCount(name, code) > MAX_DEFINITIONS);
  const factor =
    (isTest ? (match.terms === 1 ? TEST_WORD_FACTOR : TEST_FACTOR) : 1) *
    (isCommon ? COMMON_FACTOR : 1) *
    (isInsideToken(text, match.span) ? TOKEN_FACTOR : 1);
  const bonus = hasNeighbor(text, match.span, CODE_NOUNS) ? NOUN_BONUS : 0;
  return { name, span: match.span, score: Math.min(0.95, match.score * factor + bonus) };
}

function definitionCount(name: string, code: CodeTable): number {
  return code.passagesDefining(name.slice(name.lastIndexOf('.') + 1)).length;
}
