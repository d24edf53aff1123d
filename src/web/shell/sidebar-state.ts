import { useCallback, useState } from 'react';
import { useMediaQuery } from '../parts/use-media-query.ts';
import { savePreferenceCookie } from '../theme.ts';

const KEY = 'sidebar';
const NARROW = '(width < 1024px)';

/**
 * State of the sidebar: stored on wide screens, closed at first on narrow ones (below 1024 px), where it overlays
 * the page.
 */
export function useSidebar() {
  const narrow = useMediaQuery(NARROW);
  const [wideOpen, setWideOpen] = useState(() => localStorage.getItem(KEY) !== 'closed');
  const [drawerOpen, setDrawerOpen] = useState(false);
  const toggle = () => {
    if (narrow) return setDrawerOpen(!drawerOpen);
    localStorage.setItem(KEY, wideOpen ? 'closed' : 'open');
    savePreferenceCookie('sidebar', wideOpen ? 'closed' : 'open');
    setWideOpen(!wideOpen);
  };
  const close = useCallback(() => setDrawerOpen(false), []);
  return { narrow, open: narrow ? drawerOpen : wideOpen, toggle, close };
}
