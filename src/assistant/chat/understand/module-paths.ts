import type { RepositoryIndex } from '#memory/repository-index.ts';
import { resolveWrittenPath } from './named-paths.ts';
import type { NamedPath } from './path-table.ts';

/** `Acme::OldParser`, `acme.parsers.old`, `Acme\\Parsers\\Old`, `crate::io::old`. */
const MODULE_NAME = /(?<![\w$./\\:-])[A-Za-z_]\w*(?:(?:::|\.|\\)[A-Za-z_]\w*)+(?![\w$/(]|\.\w)/g;
const SEPARATOR = /::|\.|\\/;

/** Finds texts that may be the name of a module or of the one class in a file. */
export function findModuleNames(text: string): { name: string; span: [number, number] }[] {
  return Array.from(text.matchAll(MODULE_NAME), (match) => ({
    name: match[0].split(SEPARATOR).join('.'),
    span: [match.index, match.index + match[0].length],
  }));
}

/** Files and folders of a module by the conventions of the languages: `a/OldParser.ext`, `a/old_parser.ext`, `a/old-parser.ext`. */
export function resolveModule(name: string, index: RepositoryIndex): NamedPath[] {
  const parts = name.split('.');
  const spellings = ['', '_', '-'].map((separator) => parts.map((part) => spell(part, separator)).join('/'));
  for (const text of new Set(spellings)) {
    const found = resolveWrittenPath({ text, span: [0, 0], lines: null, isFolder: false }, index);
    if (found.length > 0) return found;
  }
  return [];
}

/** `old_parser` of `OldParser`; as written without a separator. */
function spell(part: string, separator: string): string {
  return separator === '' ? part : part.replace(/(?<=[a-z\d])(?=[A-Z])/g, separator).toLowerCase();
}
