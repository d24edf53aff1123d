import { useQuery } from '@tanstack/react-query';
import type { CodeSymbol } from '#contract/code.ts';
import { apiQuery } from '../../api-query.ts';
import { type EditorTab, hasText } from '../editor-tab.ts';
import { currentLine, savedPlace } from '../saved-text.ts';
import type { Workspace } from '../use-workspace.ts';

/** Definitions of a saved file, at the lines at which they stand in the editor; of no file for null. */
export function useOutline(workspace: Workspace, tab: EditorTab | null) {
  const query = useSavedOutline(workspace, tab);
  const state = tab && workspace.documentOf(tab.path);
  if (!query.data || !state || !tab.saved || !tab.dirty) return query;
  const { saved } = tab;
  const symbols = query.data.symbols.map((symbol) => {
    const start = currentLine(state, saved, symbol.start) ?? symbol.start;
    const end = currentLine(state, saved, symbol.end) ?? symbol.end;
    return { ...symbol, start, end: Math.max(start, end) };
  });
  return { ...query, data: { symbols } };
}

/** Definitions around a line of the editor, the outermost first. Only the line is mapped: this runs while the text is typed. */
export function useSymbolsAround(workspace: Workspace, tab: EditorTab, line: number): CodeSymbol[] {
  const symbols = useSavedOutline(workspace, tab).data?.symbols ?? [];
  const state = workspace.documentOf(tab.path);
  if (!state || !tab.saved || !tab.dirty || line < 1 || line > state.doc.lines) {
    return symbols.filter(({ start, end }) => start <= line && line <= end);
  }
  const place = savedPlace(state, tab.saved, line);
  // An added line belongs to what goes on behind it.
  const last = place.isAdded ? place.line + 1 : place.line;
  return symbols.filter(({ start, end }) => start <= place.line && last <= end);
}

function useSavedOutline({ project }: Workspace, tab: EditorTab | null) {
  return useQuery({
    ...apiQuery('GET /projects/:id/outline/*', {
      params: { id: project.id, '*': tab?.path ?? '' },
      query: { ref: tab?.base ?? undefined },
    }),
    enabled: tab !== null && tab.base !== null && hasText(tab),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Innermost definition around a line; undefined outside of all. */
export function symbolAtLine(symbols: readonly CodeSymbol[], line: number): CodeSymbol | undefined {
  return symbols.findLast(({ start, end }) => start <= line && line <= end);
}
