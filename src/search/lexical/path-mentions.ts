import type { CodeTable } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';

/** Words with a slash, backslash or dot in them. Bounded, so that matching stays linear in hostile text. */
const PATH_MENTION = /[\w@$+~-]{1,80}(?:[./\\]{1,2}[\w@$+~-]{1,80}){1,30}/g;
const MAX_MENTIONS = 200;

/** Files with the same name that are compared; `index.js` may be everywhere. */
const MAX_SAME_NAME_FILES = 2000;

/** Distinct possible paths and dotted modules in a text, in order. */
export function findPathMentions(text: string): string[] {
  return [...new Set(text.match(PATH_MENTION))].slice(0, MAX_MENTIONS);
}

/**
 * Files whose path shares the most trailing segments with a mention. Accepts paths of other machines
 * (`/app/lib/reply.js`, `webpack:///./src/a.ts`) and dotted modules (`flask.json.tag`).
 */
export function resolvePathMention(code: CodeTable, mention: string): number[] {
  const segments = mention.split(/[/\\]+/).filter((segment) => segment !== '' && segment !== '.');
  const name = segments.at(-1) ?? '';
  if (/\.\w+$/.test(name)) {
    const files = matchLongestSuffix(code, segments, (path) => path);
    if (files.length > 0) return files;
  }
  const dotted = segments.length === 1 ? name.split('.').filter(Boolean) : segments;
  return dotted.length > 1 ? matchLongestSuffix(code, dotted, withoutExtension, 2) : [];
}

function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.\w{1,10}$/, '');
}

/** Files that share the most trailing segments, at least `minShared`; case-insensitive. */
function matchLongestSuffix(
  code: CodeTable,
  segments: string[],
  normalize: (path: string) => string,
  minShared = 1,
): number[] {
  const lowerSegments = segments.map((segment) => segment.toLowerCase());
  let longest = minShared;
  let found: number[] = [];
  for (const file of filesNamed(code, lowerSegments.at(-1)!)) {
    const path = normalize(code.filePath(file).toLowerCase()).split('/');
    let shared = 0;
    while (shared < lowerSegments.length && path.at(-1 - shared) === lowerSegments.at(-1 - shared)) shared++;
    if (shared > longest) [longest, found] = [shared, []];
    if (shared === longest) found.push(file);
  }
  return found;
}

/** Files whose path contains the rarest term of a name. */
function filesNamed(code: CodeTable, name: string): Iterable<number> {
  let rarest: Uint32Array | null = null;
  for (const term of terms(name)) {
    const files = code.paths.postings(term)?.docs.slice();
    if (!files) continue;
    if (!rarest || files.length < rarest.length) rarest = files;
  }
  return rarest?.subarray(0, MAX_SAME_NAME_FILES) ?? [];
}

/** File name without folders and extension. */
export function pathStem(path: string): string {
  return withoutExtension(path.slice(path.lastIndexOf('/') + 1));
}

/** Share of some names that occur in a path as a folder or as the file name; case-insensitive. */
export function shareOfNamesInPath(path: string, names: readonly string[]): number {
  const parts = new Set(withoutExtension(path.toLowerCase()).split('/'));
  return names.filter((name) => parts.has(name.toLowerCase())).length / (names.length || 1);
}
