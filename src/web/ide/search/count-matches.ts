import { getSearchQuery } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';

const MAX_MATCHES = 1_000;
const BUDGET_MS = 20;

/** Number of matches of the editor's search, and the one that is selected; a lower bound where counting takes too long. */
export function countMatches(state: EditorState, budgetMs = BUDGET_MS): string {
  const query = getSearchQuery(state);
  if (!query.valid) return '';
  const { from, to } = state.selection.main;
  const until = performance.now() + budgetMs;
  const matches = query.getCursor(state);
  let [count, current] = [0, 0];
  let next = matches.next();
  // The first match is counted however late it is found.
  while (!next.done && (count === 0 || (count < MAX_MATCHES && performance.now() < until))) {
    count += 1;
    if (next.value.from === from && next.value.to === to) current = count;
    next = matches.next();
  }
  if (count === 0) return state.phrase('no matches');
  return state.phrase(next.done ? '$1 of $2' : '$1 of more than $2', current || '?', count);
}
