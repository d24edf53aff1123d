import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { inverseDocumentFrequency } from '#search/lexical/bm25.ts';
import { selectTopK } from '#search/lexical/top-k.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { isCommonWord } from './common-words.ts';
import { readManifestNames } from './manifests.ts';
import { matchName } from './match-name.ts';
import { folderTerms, isBenchmarkPath, type NamedPath, pathNameTerms, pathTableOf } from './path-table.ts';
import {
  FILE_NOUNS,
  FOLDER_NOUNS,
  hasNeighbor,
  isInsideToken,
  type QuestionWord,
  questionWords,
} from './question-words.ts';

/** A file or folder, current or of the history, that words of the question name. */
export interface NamedPathMatch extends NamedPath {
  span: [number, number];
  score: number;
}

const MAX_CANDIDATES = 250;
const WITH_NOUN_BONUS = 0.3;
const TEST_FACTOR = 0.92;
const DEEP_FACTOR = 0.985;
const COMMON_FACTOR = 0.75;
/** For a part of a token with hyphens. */
const TOKEN_FACTOR = 0.6;
const WRITTEN_SCORE = 1.1;
/** Certainty of the best match; scores themselves go beyond 1, so that their order stays. */
export const MAX_NAMED_SCORE = 0.95;
/** `dir/name.ext`, `name.ext`, `a/b/`, also with `:10` or `:10-20`. */
const WRITTEN_PATH = /(?<![\w@/.])(?:\.{0,2}\/)?(?:[\w@+-][\w@.+-]*\/|\.[\w-]+\/)*(?:[\w@+.-]*[\w@+-])?/g;

/** A path that the question writes out, with the lines behind it. */
interface WrittenPath {
  text: string;
  span: [number, number];
  lines: [number, number] | null;
  isFolder: boolean;
}

/** Finds texts that are written like paths. */
export function findWrittenPaths(text: string): WrittenPath[] {
  return Array.from(text.matchAll(WRITTEN_PATH)).flatMap((match): WrittenPath[] => {
    const written = match[0].replace(/^\.{0,2}\//, '');
    if (!/[\w+-]\.[A-Za-z]\w{0,9}$|\/|^\.[\w.-]{3,}$/.test(written)) return [];
    const [, lineText, from, to] =
      /^(:(\d{1,7})(?:-(\d{1,7}))?)/.exec(text.slice(match.index + match[0].length)) ?? [];
    const start = Number(from);
    const lines: [number, number] | null = from ? [start, Math.max(start, Number(to ?? from))] : null;
    const end = match.index + match[0].length + (lineText?.length ?? 0);
    return [
      { text: written.replace(/\/$/, ''), span: [match.index, end], lines, isFolder: written.endsWith('/') },
    ];
  });
}

/** Resolves a written path: exact, else by the longest common suffix, source code first; empty for unknown ones. */
export function resolveWrittenPath({ text }: WrittenPath, index: RepositoryIndex): NamedPath[] {
  const table = pathTableOf(index);
  const exact = table.find(text);
  if (exact >= 0 && table.paths[exact]!.isCurrent) return [table.paths[exact]!];
  const suffix = `/${text}`.toLowerCase();
  const withoutExtension = new RegExp(
    `${suffix.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:\\.\\w{1,10}){0,2}$`,
    'i',
  );
  const candidates = table
    .named(text.slice(text.lastIndexOf('/') + 1))
    .map((number) => table.paths[number]!)
    .filter(({ path }) => withoutExtension.test(`/${path}`));
  const all = exact >= 0 ? [table.paths[exact]!, ...candidates] : candidates;
  const rank = ({ path, isCurrent }: NamedPath) =>
    Number(!isCurrent) * 1000 +
    Number(!`/${path}`.toLowerCase().endsWith(suffix)) * 200 +
    Number(isNonSource(path) || isBenchmarkPath(path)) * 100 +
    path.split('/').length;
  return [...new Set(all)].sort((a, b) => rank(a) - rank(b));
}

let last: { text: string; index: RepositoryIndex; found: NamedPathMatch[] } | null = null;

/** Finds files and folders whose names have the words of the question, current and of the history, best first. */
export async function findNamedPaths(
  text: string,
  context: Pick<ToolContext, 'index' | 'sources'>,
): Promise<NamedPathMatch[]> {
  const { index } = context;
  const { projects } = await readManifestNames(context);
  // Two linkers ask for the same question.
  if (last?.text === text && last.index === index) return last.found;
  const words = questionWords(text, projects);
  const table = pathTableOf(index);
  const information = (term: string) =>
    inverseDocumentFrequency(table.paths.length, Math.min(table.paths.length, table.withTerm(term).length));
  const found = findCandidates(words, index, information)
    .flatMap(
      (number) => matchPath(text, words, table.paths[number]!, { information, code: index.code }) ?? [],
    )
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length);
  last = { text, index, found };
  return found;
}

/** Paths with the most information of the question in their base names. */
function findCandidates(
  words: QuestionWord[],
  index: RepositoryIndex,
  information: (term: string) => number,
): number[] {
  const table = pathTableOf(index);
  const scores = new Map<number, number>();
  for (const { topic } of words) {
    const ofWord = new Map<number, number>();
    for (const { term, strength } of topic.variants) {
      const value = information(term) * strength;
      for (const path of table.withTerm(term)) ofWord.set(path, Math.max(value, ofWord.get(path) ?? 0));
    }
    for (const [path, value] of ofWord) scores.set(path, (scores.get(path) ?? 0) + value);
  }
  const rank = (path: number) => scores.get(path)! + (table.paths[path]!.isCurrent ? 0.01 : 0);
  return selectTopK(scores.keys(), rank, MAX_CANDIDATES).map(({ doc }) => doc);
}

function matchPath(
  text: string,
  words: QuestionWord[],
  named: NamedPath,
  { information, code }: { information: (term: string) => number; code: CodeTable | null },
): NamedPathMatch | null {
  const match = matchName(
    words,
    { name: pathNameTerms(named.path), context: folderTerms(named.path) },
    information,
  );
  if (!match) return null;
  const hasNoun = hasNeighbor(text, match.span, named.isFolder ? FOLDER_NOUNS : FILE_NOUNS);
  const depth = named.path.split('/').length;
  const factor =
    (isNonSource(named.path) && !/test|spec|doc|prueba/i.test(text) ? TEST_FACTOR : 1) * DEEP_FACTOR ** depth;
  if (isWritten(text, match.span, named)) return { ...named, span: match.span, score: WRITTEN_SCORE };
  const isCommon = match.terms === 1 && isCommonWord(pathNameTerms(named.path), code);
  const token = isInsideToken(text, match.span) ? TOKEN_FACTOR : 1;
  const fit = match.score * token * factor * (isCommon && !hasNoun ? COMMON_FACTOR : 1);
  return {
    ...named,
    span: match.span,
    score: fit + (hasNoun && token === 1 ? WITH_NOUN_BONUS : 0),
  };
}

/** True for a name of several parts that is written like the base name: `rack-protection`. */
function isWritten(text: string, span: [number, number], { path }: NamedPath): boolean {
  const written = text.slice(...span).toLowerCase();
  return (
    /[-_.]/.test(written) &&
    path.toLowerCase().endsWith(written) &&
    /(?:^|\/)$/.test(path.slice(0, -written.length))
  );
}
