import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completeAnyWord,
  completionKeymap,
} from '@codemirror/autocomplete';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { keymap } from '@codemirror/view';

/** Search, closing brackets and completion: words of the file, and these sources, beside what the language knows. */
export function editingAids(sources: readonly CompletionSource[]): Extension {
  const data = [completeAnyWord, ...sources].map((autocomplete) => ({ autocomplete }));
  return [
    search({ top: true }),
    highlightSelectionMatches(),
    closeBrackets(),
    autocompletion({ icons: false, maxRenderedOptions: 50 }),
    EditorState.languageData.of(() => data),
    keymap.of([...closeBracketsKeymap, ...searchKeymap, ...completionKeymap]),
  ];
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
