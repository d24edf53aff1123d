import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { markOccurrences } from '../expressions/line-matcher.ts';
import { isContinued } from '../names/name-table.ts';
import type { Candidates } from './candidates.ts';
import type { MarkRange } from './marks.ts';
import { fileFilter, type ProjectSearch, type SearchedProject } from './search-scope.ts';

/** Matches of one project that are counted. */
const MAX_MATCHES = 1_000;

interface Definition {
  passage: number;
  name: string;
  lowerName: string;
}

/** Definitions of an index by full name, each with its first passage. */
const definitionsOf = memoizeByIdentity((code: CodeTable): Definition[] => {
  const definitions: Definition[] = [];
  let last = '';
  for (let passage = 0; passage < code.passageCount; passage++) {
    const name = code.passageSymbol(passage) ?? '';
    if (name !== '' && !isContinued(last, name))
      definitions.push({ passage, name, lowerName: name.toLowerCase() });
    last = name;
  }
  return definitions;
});

const lowerPathsOf = memoizeByIdentity((code: CodeTable) =>
  Array.from({ length: code.fileCount }, (_, file) => code.filePath(file).toLowerCase()),
);

/** Definitions whose full name has every word of the query, or the exact text. */
export function findSymbols(project: SearchedProject, search: ProjectSearch): Candidates {
  const { code } = project.index;
  if (!code) return { found: [], complete: true };
  const accepts = fileFilter(code, search.filters);
  const matcher = createMatcher(search);
  const found: Candidates['found'] = [];
  for (const { passage, name, lowerName } of definitionsOf(code)) {
    const score = matcher.score(
      name,
      lowerName,
      Math.max(lowerName.lastIndexOf('.'), lowerName.lastIndexOf(':')) + 1,
    );
    if (score === 0) continue;
    for (const file of code.passageFiles(passage)) {
      if (accepts && !accepts(file)) continue;
      found.push({
        score,
        facets: { project: project.id, language: code.fileLanguage(file), path: code.filePath(file) },
        load: () => {
          const { start, end } = code.passageLines(passage);
          return {
            kind: 'symbol',
            ...presentPlace(project.id, code, file),
            name,
            marks: matcher.marks(name),
            line: start,
            to_line: end,
          };
        },
      });
    }
  }
  return keepBest(found);
}

/** Files whose path has every word of the query or its letters in order, or the exact text. */
export function findFiles(project: SearchedProject, search: ProjectSearch): Candidates {
  const { code } = project.index;
  if (!code) return { found: [], complete: true };
  const accepts = fileFilter(code, search.filters);
  const matcher = createMatcher(search);
  const found: Candidates['found'] = [];
  lowerPathsOf(code).forEach((lowerPath, file) => {
    if (accepts && !accepts(file)) return;
    const path = code.filePath(file);
    const score = matcher.score(path, lowerPath, lowerPath.lastIndexOf('/') + 1);
    if (score === 0) return;
    found.push({
      score,
      facets: { project: project.id, language: code.fileLanguage(file), path },
      load: () => ({
        kind: 'file',
        ...presentPlace(project.id, code, file),
        marks: matcher.marks(path),
        lines: code.fileLines(file),
      }),
    });
  });
  return keepBest(found);
}

function presentPlace(project_id: string, code: CodeTable, file: number) {
  return { project_id, path: code.filePath(file), language: code.fileLanguage(file) };
}

function keepBest(found: Candidates['found']): Candidates {
  found.sort((a, b) => b.score - a.score);
  return { found: found.slice(0, MAX_MATCHES), complete: found.length <= MAX_MATCHES };
}

/** Puts a name in the case that was typed before the same one in another case, whatever their lengths. */
const CASE_BONUS = 10;

/**
 * Scores names, 0 for no match: the whole last segment before its beginning, its middle, and the segments before it; then
 * the letters of one word in their order. Names in the case that was typed first, then shorter ones.
 */
function createMatcher({ text, match }: Pick<ProjectSearch, 'text' | 'match'>) {
  const typed = match === 'exact' ? [text] : text.split(/[\s/.:#]+/).filter(Boolean);
  const words = match === 'exact' ? typed : typed.map((word) => word.toLowerCase());
  const last = words.at(-1) ?? '';
  const lastTyped = typed.at(-1) ?? '';
  const scoreOne = (name: string, segment: number): number => {
    if (words.some((word) => !name.includes(word))) {
      return words.length === 1 && match === 'words' && last.length > 2 && hasLettersInOrder(name, last)
        ? 10
        : 0;
    }
    const at = name.indexOf(last, segment);
    if (at < 0) return 40;
    const end = at + last.length;
    const isWhole = end === name.length || (name[end] === '.' && name.indexOf('.', end + 1) === -1);
    return at === segment ? (isWhole ? 100 : 80) : 60;
  };
  return {
    score: (name: string, lowerName: string, segment: number): number => {
      if (words.length === 0) return 1 - name.length / 1e5;
      const score = scoreOne(match === 'exact' ? name : lowerName, segment);
      if (score === 0) return 0;
      const isInCase = match === 'words' && name.includes(lastTyped, segment);
      return score + (isInCase ? CASE_BONUS : 0) - Math.min(9, name.length / 100);
    },
    marks: (name: string): MarkRange[] => {
      const subject = match === 'exact' ? name : name.toLowerCase();
      // Lower case may have another length.
      if (subject.length !== name.length) return [];
      const all = words.flatMap((word) => markOccurrences(subject, word)).sort(([a], [b]) => a - b);
      return all.filter(([from], index) => index === 0 || from >= all[index - 1]![1]);
    },
  };
}

function hasLettersInOrder(name: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = name.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
