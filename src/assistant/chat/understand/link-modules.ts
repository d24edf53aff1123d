import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { spellsName } from './defined-names.ts';
import type { Mention } from './entities.ts';
import { findModuleNames, resolveModule } from './module-paths.ts';
import { nameTerms, pathTableOf } from './path-table.ts';

/** Identifiers of several parts. */
const COMPOUND_NAME = /(?<![\w$./-])(?:[A-Za-z][a-z\d]*(?:[A-Z][a-z\d]*)+|[A-Za-z]\w*_\w+)(?![\w$/]|\.\w)/g;
const EXPORT = /\bmodule\.exports\s*=|\bexport\s+default\b/;
const MAX_PASSAGES = 40;
const MODULE_SCORE = 0.96;
const EXPORT_SCORE = 0.95;

/** Links names that are spelled like a file: `acme.parsers` of `acme/parsers.py`, and `isEmpty` of what `is-empty.js` exports. */
export function linkModules(text: string, index: RepositoryIndex): Mention[] {
  return [...linkModuleNames(text, index), ...linkDefaultExports(text, index)];
}

function linkModuleNames(text: string, index: RepositoryIndex): Mention[] {
  return findModuleNames(text).flatMap(({ name, span }): Mention[] => {
    if (index.code?.passagesDefining(name).length !== 0) return [];
    const file = resolveModule(name, index).find(({ isCurrent, isFolder }) => isCurrent && !isFolder);
    if (!file || isNonSource(file.path)) return [];
    const entity = { kind: 'file', path: file.path, lines: null } as const;
    return [{ entity, span, score: MODULE_SCORE, alternatives: [] }];
  });
}

/** Names that nothing defines, of files that export one thing without a name. */
function linkDefaultExports(text: string, index: RepositoryIndex): Mention[] {
  const code = index.code!;
  return Array.from(text.matchAll(COMPOUND_NAME)).flatMap((match): Mention[] => {
    const [name] = match;
    if (!isOnlyImported(name, code)) return [];
    const path = fileNamedLike(name, index);
    const passage = path === null ? null : exportingPassage(path, code);
    if (passage === null) return [];
    const entity = { kind: 'symbol' as const, name, passages: [passage] };
    const span: [number, number] = [match.index, match.index + name.length];
    return [{ entity, span, score: EXPORT_SCORE, alternatives: [] }];
  });
}

/** True for a name that nothing defines but imports such as `const isEmpty = require('./is-empty')`. */
function isOnlyImported(name: string, code: CodeTable): boolean {
  const imported = new RegExp(`\\b(?:const|let|var)\\s+${name}\\s*=\\s*(?:await\\s+)?(?:require|import)\\b`);
  return code
    .passagesDefining(name)
    .every((passage) => !spellsName(code, passage, name) || imported.test(code.passageText(passage) ?? ''));
}

/** The source file whose base name has just the parts of a name; null for none or several. */
function fileNamedLike(name: string, index: RepositoryIndex): string | null {
  const wanted = nameTerms(name);
  const table = pathTableOf(index);
  const isSame = (path: string) => {
    const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
    const terms = nameTerms(stem);
    return terms.length === wanted.length && terms.every((term) => wanted.includes(term));
  };
  const found = table
    .withTerm(wanted[0] ?? '')
    .map((number) => table.paths[number]!)
    .filter(({ path, isCurrent, isFolder }) => isCurrent && !isFolder && !isNonSource(path) && isSame(path));
  return found.length === 1 ? found[0]!.path : null;
}

function exportingPassage(path: string, code: CodeTable): number | null {
  const { first, count } = code.filePassages(code.fileNumber(path));
  const passages = Array.from({ length: Math.min(count, MAX_PASSAGES) }, (_, i) => first + i);
  const exports = (passage: number) =>
    code.passageSymbol(passage) === 'module.exports' || EXPORT.test(code.passageText(passage) ?? '');
  return passages.find(exports) ?? null;
}
