import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Mention } from './entities.ts';
import { pathTableOf } from './path-table.ts';
import { hasNeighbor } from './question-words.ts';

const WORD = /(?<![\p{L}\p{N}_./-])\.?[\p{L}\p{N}_][\p{L}\p{N}_.]*(?:-[\p{L}\p{N}_.]+)*?(?![\p{L}\p{N}_/])/gu;
const FOLDER_WORDS: ReadonlySet<string> = new Set(
  'folder directory dir carpeta directorio dossier répertoire ordner verzeichnis'.split(' '),
);
const UNDER = /(?:^|\s)(?:under|below|beneath|inside|unter|unterhalb|bajo|sous)\s+[`"'“«]?$/iu;
/** "under test" names no folder. */
const IDIOMS = new Set(['test', 'tests']);
const SCORE = 0.97;
const NAMESAKE_SCORE = 0.82;
const MAX_ALTERNATIVES = 5;

/** Links a word to the folder of that very name where the question says that it is one: "the docs folder", "under docs". */
export function linkFolders(text: string, index: RepositoryIndex): Mention[] {
  const table = pathTableOf(index);
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index: from }): Mention[] => {
    const span: [number, number] = [from, from + word.length];
    const isUnder = UNDER.test(text.slice(0, from)) && !IDIOMS.has(word.toLowerCase());
    if (!isUnder && !hasNeighbor(text, span, FOLDER_WORDS)) return [];
    const found = table
      .named(word)
      .map((number) => table.paths[number]!)
      .filter(({ isFolder, isCurrent }) => isFolder && isCurrent)
      .map(({ path }) => ({ path, depth: path.split('/').length }))
      .sort((a, b) => a.depth - b.depth);
    const [first, second] = found;
    if (!first) return [];
    return [
      {
        entity: { kind: 'folder', path: first.path },
        span,
        score: second?.depth === first.depth ? NAMESAKE_SCORE : SCORE,
        alternatives: found.slice(1, 1 + MAX_ALTERNATIVES).map(({ path }) => ({ kind: 'folder', path })),
      },
    ];
  });
}
