import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Filters whose values an index knows. */
export type ListedKey = 'author' | 'path' | 'lang';

/** A value with the number of commits or files that have it. */
export interface ValueCount {
  value: string;
  count: number;
}

const MAX_VALUES = 20;

const countsOf: Record<ListedKey, (index: RepositoryIndex) => Map<string, number>> = {
  author: memoizeByIdentity(({ commits }) => {
    const counts = new Map<string, number>();
    for (let commit = 0; commit < commits.count; commit++) add(counts, commits.author(commit));
    return counts;
  }),
  lang: memoizeByIdentity(({ code }) => {
    const counts = new Map<string, number>();
    for (let file = 0; file < (code?.fileCount ?? 0); file++) add(counts, code!.fileLanguage(file));
    return counts;
  }),
  path: memoizeByIdentity(({ code }) => {
    const counts = new Map<string, number>();
    for (let file = 0; file < (code?.fileCount ?? 0); file++) {
      const path = code!.filePath(file);
      add(counts, path);
      for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
        add(counts, path.slice(0, at + 1));
    }
    return counts;
  }),
};

function add(counts: Map<string, number>, value: string, count = 1): void {
  if (value !== '') counts.set(value, (counts.get(value) ?? 0) + count);
}

/** Values that contain a text, without regard to case: those that begin with it first, then the most frequent. */
export function listValues(indexes: readonly RepositoryIndex[], key: ListedKey, text: string): ValueCount[] {
  const needle = text.toLowerCase();
  const totals = new Map<string, number>();
  for (const index of indexes) {
    for (const [value, count] of countsOf[key](index)) {
      if (value.toLowerCase().includes(needle)) add(totals, value, count);
    }
  }
  const begins = (value: string) => Number(value.toLowerCase().startsWith(needle));
  return [...totals]
    .sort(([a, m], [b, n]) => begins(b) - begins(a) || n - m || (a < b ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(([value, count]) => ({ value, count }));
}
