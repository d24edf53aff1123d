import { searchPanelOpen } from '@codemirror/search';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { countMatches } from './count-matches.ts';

/** Pause of the typing before the matches are counted. */
const PAUSE_MS = 120;

/** Shows the number of matches in the search panel, and which of them is selected. */
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
      const field = view.dom.querySelector('.cm-search [main-field]');
      // A status that is inserted again is read out again.
      if (field?.nextElementSibling !== this.label) field?.after(this.label);
      const words = countMatches(view.state);
      if (this.label.textContent !== words) this.label.textContent = words;
    }

    destroy() {
      clearTimeout(this.timer);
    }
  },
);
