import {
  autocompletion,
  CompletionContext,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completeAnyWord,
  completionKeymap,
} from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { matchCount } from './search/match-count.ts';

/** Search, closing brackets and completion: words of the file, and these sources, beside what the language knows. */
export function editingAids(sources: readonly CompletionSource[]): Extension {
  const data = [completeAnyWord, ...sources].map((autocomplete) => ({ autocomplete }));
  return [
    search({ top: true }),
    matchCount,
    highlightSelectionMatches(),
    closeBrackets(),
    autocompletion({ icons: false, maxRenderedOptions: 50 }),
    EditorState.languageData.of(() => data),
    keymap.of([...closeBracketsKeymap, ...searchKeymap, ...completionKeymap]),
  ];
}

/** Milliseconds of one step: shorter than a frame, so that a key that is pressed meanwhile is not late. */
const STEP_MS = 6;

/**
 * Parses a document to its end, and reads its names, while the browser is idle. Otherwise each key after a jump to a far line
 * would parse for 20 ms, and the first word wait for all names. Returns a function that ends it.
 */
export function readAhead(view: EditorView): () => void {
  let isEnded = false;
  const step = () => {
    const { state } = view;
    if (isEnded) return;
    const tree = ensureSyntaxTree(state, state.doc.length, STEP_MS);
    if (tree === null) return whenIdle(step);
    // The view takes over what was parsed.
    if (tree !== syntaxTree(state)) view.dispatch({});
    whenIdle(() => isEnded || readNames(view.state));
  };
  whenIdle(step);
  return () => {
    isEnded = true;
  };
}

/** Runs the completion sources once, so that they cache the names of the text. */
function readNames(state: EditorState): void {
  const context = new CompletionContext(state, 0, true);
  for (const source of state.languageDataAt<CompletionSource | object>('autocomplete', 0)) {
    if (typeof source === 'function') void source(context);
  }
}

/** Runs work when the browser is idle; Safari has no `requestIdleCallback`. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
  else setTimeout(work, 50);
}

/** Characters of a text in which words are looked for. */
const MAX_SCANNED = 200_000;
const MAX_WORDS = 5_000;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu;

const wordsOfTexts = new WeakMap<Text, readonly string[]>();

/** Completes words of some texts; a text is read again only after it has changed. */
export function completeWords(listTexts: () => readonly Text[]): CompletionSource {
  return (context) => {
    const word = context.matchBefore(/[\p{L}_$][\p{L}\p{N}_$]*/u);
    if (!word && !context.explicit) return null;
    const typed = word?.text ?? '';
    const found = new Set<string>();
    for (const text of listTexts()) {
      for (const one of wordsOf(text)) if (one !== typed) found.add(one);
    }
    if (found.size === 0) return null;
    return {
      from: word?.from ?? context.pos,
      options: [...found].slice(0, MAX_WORDS).map((label) => ({ label, boost: -2 })),
      validFor: /^[\p{L}\p{N}_$]*$/u,
    };
  };
}

function wordsOf(text: Text): readonly string[] {
  const known = wordsOfTexts.get(text);
  if (known) return known;
  const words = new Set<string>();
  for (const [word] of text.sliceString(0, MAX_SCANNED).matchAll(WORD)) {
    words.add(word);
    if (words.size === MAX_WORDS) break;
  }
  const list = [...words];
  wordsOfTexts.set(text, list);
  return list;
}
