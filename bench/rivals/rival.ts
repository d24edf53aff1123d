/** A search engine that is measured beside ours. */
export interface Rival {
  /** Finds the ten best; the result is not looked at. */
  search(query: string): unknown;
  close?(): unknown;
}

/** Puts texts into an engine; their numbers are their places. Rejects when the engine is not installed. */
export type OpenRival = (texts: string[]) => Promise<Rival>;

/** Results that every engine is asked for. */
export const BEST = 10;

/** A package of `bench/package.json`. Its types are not looked at, so that checks pass where it is not installed. */
export async function load<T>(name: string): Promise<T> {
  const module: unknown = await import(name);
  return module as T;
}

/** The words of a text, for engines whose query language gives signs a meaning. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
}
