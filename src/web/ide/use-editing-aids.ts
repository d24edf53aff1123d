import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { apiQuery } from '../api-query.ts';
import { aidsCompartment } from './editor-state.ts';
import type { Workspace } from './use-workspace.ts';

const MIN_CHARACTERS = 2;
const CACHE_MS = 60_000;

/** Adds search and completion, once their script is there: words of the open files and symbols of the project. */
export function useEditingAids(view: EditorView | null, path: string, workspace: Workspace): void {
  const client = useQueryClient();
  const projectId = workspace.project.id;
  const listOtherTexts = useEffectEvent(() =>
    workspace.tabs.flatMap((tab) => (tab.path === path ? [] : (workspace.documentOf(tab.path)?.doc ?? []))),
  );
  useEffect(() => {
    if (!view) return;
    let isCurrent = true;
    const completeSymbol = async (context: CompletionContext): Promise<CompletionResult | null> => {
      const word = context.matchBefore(/[\p{L}_$][\p{L}\p{N}_$]*/u);
      if (!word || (word.text.length < MIN_CHARACTERS && !context.explicit)) return null;
      const query = { q: word.text, kind: 'symbols', project_id: projectId } as const;
      const options = { ...apiQuery('GET /palette', { query }), staleTime: CACHE_MS, retry: false };
      // Without the server, words of the files remain.
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
    import('./editing-aids.ts').then(
      ({ completeWords, editingAids }) => {
        if (!isCurrent) return;
        const aids = editingAids([completeWords(() => listOtherTexts()), completeSymbol]);
        view.dispatch({ effects: aidsCompartment.reconfigure(aids) });
      },
      // Without the script, the text can be edited.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [view, projectId, client]);
}
