import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { getAccessToken } from '../access-token.ts';
import { useNotificationSocket } from '../socket.ts';
import { useApplyPreferences, useCurrentUser, useSilentRefresh } from '../user.ts';
import { Drawer } from './drawer.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';
import { TopBar } from './top-bar.tsx';

const PAGE_TRANSITION_MS = 140;

/** Everything around the page: skip link, top bar, sidebar, and the line to the server. */
export function Shell() {
  const { t } = useTranslation('shell');
  const user = useCurrentUser().data ?? null;
  const signedIn = getAccessToken() !== null;
  useNotificationSocket(user !== null);
  useApplyPreferences(user);
  useSilentRefresh();
  useResyncPush(user?.id);
  const menuId = useId();
  const sidebar = useSidebar();
  // A visitor's menu has no toggle on a wide screen: it simply stands there.
  const sidebarVisible = !sidebar.narrow && (sidebar.open || !signedIn);
  return (
    <>
      <a
        href="#page"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border border-edge bg-surface px-3 py-1.5 focus:translate-y-0"
      >
        {t('skip')}
      </a>
      <TopBar
        user={user}
        signedIn={signedIn}
        menu={{ id: menuId, open: sidebar.open, toggle: sidebar.toggle, shown: signedIn || sidebar.narrow }}
      />
      <div className="flex min-h-[calc(100vh-48px)]">
        {sidebarVisible && (
          <aside
            id={menuId}
            aria-label={t('menu.menu')}
            className="sticky top-12 h-[calc(100vh-48px)] flex w-52 shrink-0 flex-col overflow-y-auto border-r border-rule bg-surface"
          >
            <Sidebar signedIn={signedIn} />
          </aside>
        )}
        {sidebar.narrow && (
          <Drawer id={menuId} open={sidebar.open} onClose={sidebar.close} label={t('navigation')}>
            <Sidebar signedIn={signedIn} onFollow={sidebar.close} />
          </Drawer>
        )}
        <Page />
      </div>
      <ScrollRestoration />
    </>
  );
}

/** A browser that was allowed to show notifications does so for whoever is signed in now. */
function useResyncPush(userId: string | undefined): void {
  useEffect(() => {
    if (!userId || globalThis.Notification?.permission !== 'granted') return;
    import('../push.ts')
      .then(({ resyncPushSubscription }) => resyncPushSubscription())
      // The next load of the application tries again.
      .catch(() => undefined);
  }, [userId]);
}

/** The page itself. A new one fades in while it slides up by 6 px, and a reader who listens is taken to it. */
function Page() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname || main.current === null) return;
    shown.current = pathname;
    if (!(document.activeElement instanceof HTMLInputElement)) main.current.focus({ preventScroll: true });
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    main.current.animate(
      [
        { opacity: 0, transform: 'translateY(6px)' },
        { opacity: 1, transform: 'none' },
      ],
      {
        duration: PAGE_TRANSITION_MS,
        easing: 'ease-out',
      },
    );
  }, [pathname]);
  return (
    <main ref={main} id="page" tabIndex={-1} className="page min-w-0 flex-1">
      <Outlet />
    </main>
  );
}
