import { useCallback, useState, useSyncExternalStore } from 'react';
import { savePreferenceCookie } from '../theme.ts';

const KEY = 'sidebar';
const NARROW = '(width < 1024px)';

/**
 * State of the sidebar: stored on wide screens, closed at first on narrow ones (below 1024 px), where it overlays
 * the page.
 */
export function useSidebar() {
  const narrow = useSyncExternalStore(subscribeToWidth, () => matchMedia(NARROW).matches);
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

function subscribeToWidth(changed: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}
