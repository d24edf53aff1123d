import type { PathMapping } from '#contract/project-settings.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { filesNamed } from './files-named.ts';

/** Printed paths that are compared for a guess. */
const MAX_PATHS = 40;
/** Distinct printed paths that a guessed folder must explain. */
const MIN_EXPLAINED = 2;

/**
 * Path in the repository by the mapping with the longest matching folder; null when none matches. `*` stands for one segment,
 * as in `/srv/shop/releases/*`.
 */
export function applyPathMappings(printed: string, mappings: readonly PathMapping[]): string | null {
  const segments = splitPath(printed);
  const matching = mappings
    .map(({ from, to }) => ({ from: splitPath(from), to: splitPath(to) }))
    .filter(({ from }) => from.length < segments.length && startsWith(segments, from));
  const [best] = matching.sort((a, b) => b.from.length - a.from.length);
  return best ? [...best.to, ...segments.slice(best.from.length)].join('/') : null;
}

function startsWith(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((segment, at) => segment === '*' || segment === segments[at]);
}

/** Segments of a path without its scheme, empty ones and `.`. */
export function splitPath(path: string): string[] {
  return path
    .replaceAll('\\', '/')
    .replace(/^[a-z][\w+-]+:\/\//i, '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
}

/**
 * Guesses the deployed folders from all paths of a trace: for each printed folder the folder of the repository that holds
 * the most of its files, if these are at least two and no other folder holds as many. A single `index.js` has many namesakes
 * in a monorepo; together with `routes/user.js` it has one place.
 */
export function guessPathMappings(code: CodeTable, printed: readonly string[]): PathMapping[] {
  const explained = new Map<string, { from: string; to: string; paths: Set<string> }>();
  for (const path of [...new Set(printed)].slice(0, MAX_PATHS)) {
    const segments = splitPath(path);
    for (const file of filesNamed(code, segments.at(-1) ?? '')) {
      const own = code.filePath(file).split('/');
      const shared = sharedSuffix(segments, own);
      if (shared === 0 || shared === segments.length) continue;
      const from = segments.slice(0, -shared).join('/');
      const to = own.slice(0, -shared).join('/');
      const key = `${from}\0${to}`;
      const entry = explained.get(key) ?? { from, to, paths: new Set() };
      explained.set(key, entry);
      entry.paths.add(path);
    }
  }
  const likely = [...explained.values()].filter(({ paths }) => paths.size >= MIN_EXPLAINED);
  return [...Map.groupBy(likely, ({ from }) => from).values()].flatMap((group) => {
    const [best, second] = group.sort((a, b) => b.paths.size - a.paths.size);
    return second?.paths.size === best!.paths.size ? [] : [{ from: best!.from, to: best!.to }];
  });
}

/** Number of last segments that two paths share. */
export function sharedSuffix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}
