import { getSearchQuery, searchPanelOpen } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Matches that are counted, and milliseconds for it. */
const MAX_MATCHES = 1_000;
const BUDGET_MS = 20;
/** Pause of the typing before the matches are counted. */
const PAUSE_MS = 120;

/** Says in the search panel how many matches the text has, and which of them is selected. */
export const matchCount = ViewPlugin.fromClass(
  class {
    readonly label = document.createElement('span');
    timer: ReturnType<typeof setTimeout> | undefined;

    constructor() {
      this.label.className = 'cm-search-count';
      this.label.setAttribute('role', 'status');
    }

    update({ view, state }: ViewUpdate) {
      clearTimeout(this.timer);
      if (searchPanelOpen(state)) this.timer = setTimeout(() => this.show(view), PAUSE_MS);
    }

    show(view: EditorView) {
      view.dom.querySelector('.cm-search [main-field]')?.after(this.label);
      const words = countMatches(view.state);
      if (this.label.textContent !== words) this.label.textContent = words;
    }

    destroy() {
      clearTimeout(this.timer);
    }
  },
);

function countMatches(state: EditorState): string {
  const query = getSearchQuery(state);
  if (!query.valid) return '';
  const { from, to } = state.selection.main;
  const until = performance.now() + BUDGET_MS;
  const matches = query.getCursor(state);
  let [count, current] = [0, 0];
  let next = matches.next();
  for (; !next.done && count < MAX_MATCHES && performance.now() < until; next = matches.next()) {
    count += 1;
    if (next.value.from === from && next.value.to === to) current = count;
  }
  if (count === 0) return state.phrase('no matches');
  return state.phrase(next.done ? '$1 of $2' : '$1 of more than $2', current || '?', count);
}
