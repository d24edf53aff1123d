/** Joins alternatives into one pattern. */
export function anyOf(flags: string, ...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags);
}
