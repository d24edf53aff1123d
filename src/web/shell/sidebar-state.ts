import { useCallback, useState, useSyncExternalStore } from 'react';

const KEY = 'sidebar';
const NARROW = '(width < 1024px)';

/**
 * Whether the sidebar is open: on a wide screen as it was left, on a narrow one (below 1024 px) closed at first,
 * since there it lies over the page.
 */
export function useSidebar() {
  const narrow = useSyncExternalStore(subscribeToWidth, () => matchMedia(NARROW).matches);
  const [wideOpen, setWideOpen] = useState(() => localStorage.getItem(KEY) !== 'closed');
  const [drawerOpen, setDrawerOpen] = useState(false);
  const toggle = () => {
    if (narrow) return setDrawerOpen(!drawerOpen);
    localStorage.setItem(KEY, wideOpen ? 'closed' : 'open');
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
