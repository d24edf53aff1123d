import { useSearchParams } from 'react-router';

/** Period and folder in the address; absent values are the server's defaults. */
export interface ScopeQuery {
  from?: string;
  to?: string;
  path?: string;
}

const KEYS = ['from', 'to', 'path'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the scope from `?from=&to=&path=`, and changes a part of it: `undefined` returns a value to its default. */
export function useEvolutionScope() {
  const [params, setParams] = useSearchParams();
  const query: ScopeQuery = {};
  for (const key of KEYS) {
    const value = params.get(key);
    if (value && (key === 'path' || DAY.test(value))) query[key] = value;
  }
  const searchFor = (change: { [K in keyof ScopeQuery]: ScopeQuery[K] | undefined }): string => {
    const next = new URLSearchParams(params);
    for (const [key, value] of Object.entries(change)) {
      if (value) next.set(key, value);
      else next.delete(key);
    }
    return `?${next}`;
  };
  return {
    query,
    /** Address of a link that changes a part of the scope. */
    searchFor,
    change: (change: Parameters<typeof searchFor>[0]) => setParams(searchFor(change)),
  };
}
