// Run by Node 24. What both packages share: modules without types, and how they name each other.
import { posix } from 'node:path';

/** A static or dynamic import with a literal name, and whether it asks for JSON. */
export const IMPORT =
  /((?:^|\n)\s*(?:import|export)\b[^'";]*?(?:from\s*)?|\bimport\(\s*)(['"])([^'"\n]+)\2(\s*with \{ type: 'json' \})?/g;

/** The file that a module of ours imports, relative to the checkout; null for packages. */
export function resolveModule(from, name) {
  if (!/\.(?:ts|json)$/.test(name)) return null;
  if (name.startsWith('#')) return `src/${name.slice(1)}`;
  return name.startsWith('.') ? posix.join(posix.dirname(from), name) : null;
}

/** The name of a package in an import, without the path inside it. */
export function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
