import { type CompletionContext, type CompletionResult, completeAnyWord } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../api-query.ts';
import { completionCompartment } from './editor-state.ts';

const MIN_CHARACTERS = 2;
const CACHE_MS = 60_000;

/** Completes words of the file and symbols of the project, beside what the language knows. */
export function useCompletion(view: EditorView | null, projectId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!view) return;
    const completeSymbol = async (context: CompletionContext): Promise<CompletionResult | null> => {
      const word = context.matchBefore(/[\p{L}_$][\p{L}\p{N}_$]*/u);
      if (!word || (word.text.length < MIN_CHARACTERS && !context.explicit)) return null;
      const query = { q: word.text, kind: 'symbols', project_id: projectId } as const;
      const options = { ...apiQuery('GET /palette', { query }), staleTime: CACHE_MS, retry: false };
      // Without the server, words of the file remain.
      const found = await client.fetchQuery(options).catch(() => null);
      const symbols = (found?.symbols ?? []).filter((symbol) => symbol.project_id === projectId);
      if (context.aborted || symbols.length === 0) return null;
      return {
        from: word.from,
        options: symbols.map(({ name, path }) => ({
          label: name.slice(
            Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1,
          ),
          detail: path.slice(path.lastIndexOf('/') + 1),
          boost: -1,
        })),
      };
    };
    const sources = [{ autocomplete: completeAnyWord }, { autocomplete: completeSymbol }];
    view.dispatch({
      effects: completionCompartment.reconfigure(EditorState.languageData.of(() => sources)),
    });
  }, [view, projectId, client]);
}
