import { useState } from 'react';
import { useMediaQuery } from '../parts/use-media-query.ts';
import { EMPTY_SEARCH } from './search/search-form.ts';
import type { Workspace } from './use-workspace.ts';

/** Views of the side bar. */
export type SideView = 'files' | 'search' | 'changes';

/** State of the side bar. */
export type SideBarState = ReturnType<typeof useSideBar>;

/** View and width of the side bar. On narrow screens it takes the place of the text. */
export function useSideBar(workspace: Workspace, requestedFile: string | null) {
  const isWide = useMediaQuery('(width >= 768px)');
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [view, setView] = useState<SideView>('files');
  const [search, setSearch] = useState(EMPTY_SEARCH);
  const [searchRequest, setSearchRequest] = useState(0);
  const [revealed, setRevealed] = useState<{ folder: string; id: number }>();
  const isShown = chosen ?? (isWide || (workspace.tab === null && requestedFile === null));
  const showView = (next: SideView) => {
    setChosen(true);
    setView(next);
    const selection = workspace.view.current?.state;
    const text = selection
      ? selection.sliceDoc(selection.selection.main.from, selection.selection.main.to)
      : '';
    if (next !== 'search') return;
    if (text !== '' && !text.includes('\n')) setSearch({ ...search, q: text });
    // Letters that are typed while the panel loads are no change of the file.
    workspace.view.current?.contentDOM.blur();
    setSearchRequest((count) => count + 1);
  };
  return {
    view,
    setView,
    search,
    setSearch,
    /** Counts the times that the search was asked for by its key. */
    searchRequest,
    revealed,
    isShown,
    showView,
    toggle: () => setChosen(!isShown),
    leaveOnNarrow: () => !isWide && setChosen(null),
    reveal(folder: string) {
      showView('files');
      setRevealed({ folder, id: (revealed?.id ?? 0) + 1 });
    },
  };
}
