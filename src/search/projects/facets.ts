import { MAX_FACET_VALUES, type SearchFacet } from '#contract/search-results.ts';

type FacetKey = SearchFacet['key'];

/** Counts values of facets, result by result. */
export class FacetCounter {
  readonly #counts = new Map<FacetKey, Map<string, number>>();

  add(key: FacetKey, value: string): void {
    if (value === '') return;
    const counts = this.#counts.get(key) ?? new Map<string, number>();
    counts.set(value, (counts.get(value) ?? 0) + 1);
    this.#counts.set(key, counts);
  }

  /** The facets in the order of their keys, the most frequent values first. */
  facets(): SearchFacet[] {
    return [...this.#counts].map(([key, counts]) => {
      const values = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      return {
        key,
        values: values.slice(0, MAX_FACET_VALUES).map(([value, count]) => ({ value, label: value, count })),
        more: Math.max(0, values.length - MAX_FACET_VALUES),
      };
    });
  }
}

/** First folder of a path with a slash at its end, or two where the first holds everything of many projects, such as `src/`. */
export function facetFolder(path: string): string {
  const [first, second, third] = path.split('/');
  if (second === undefined) return '';
  return third !== undefined && COMMON_FOLDERS.has(first!) ? `${first}/${second}/` : `${first}/`;
}

const COMMON_FOLDERS = new Set(['src', 'lib', 'packages', 'crates', 'pkg', 'internal', 'app', 'apps']);
