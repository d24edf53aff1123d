import { useQuery } from '@tanstack/react-query';
import type { CodeSymbol } from '#contract/code.ts';
import { apiQuery } from '../../api-query.ts';
import { type EditorTab, hasText } from '../editor-tab.ts';
import { currentLine } from '../saved-text.ts';
import type { Workspace } from '../use-workspace.ts';

/** Definitions of a saved file, at the lines at which they stand in the editor; of no file for null. */
export function useOutline(workspace: Workspace, tab: EditorTab | null) {
  const { project } = workspace;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/outline/*', {
      params: { id: project.id, '*': tab?.path ?? '' },
      query: { ref: tab?.base ?? undefined },
    }),
    enabled: tab !== null && tab.base !== null && hasText(tab),
    staleTime: Number.POSITIVE_INFINITY,
  });
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

/** Innermost definition around a line; undefined outside of all. */
export function symbolAtLine(symbols: readonly CodeSymbol[], line: number): CodeSymbol | undefined {
  return symbols.findLast(({ start, end }) => start <= line && line <= end);
}

/** Definitions around a line, the outermost first. */
export function symbolsAround(symbols: readonly CodeSymbol[], line: number): CodeSymbol[] {
  return symbols.filter(({ start, end }) => start <= line && line <= end);
}
