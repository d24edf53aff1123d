import { bestThree } from './passages.ts';
import type { Signal } from './signal.ts';

/** BM25 of the text against the names that the file's passages define: `resolve_redirects` answers "redirects". */
export const names: Signal = (input) => {
  const { code, query, space } = input;
  const field = { index: code.field('symbol'), weight: 1, lengthPenalty: 0.5 };
  space.parts.start();
  for (const { term, weight } of query.terms) {
    space.parts.addField(field, term);
    space.parts.endTerm(weight);
  }
  return bestThree(input, space.parts);
};
