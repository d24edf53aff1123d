import { Suspense, useEffect, useId, useRef } from 'react';
import { Outlet, ScrollRestoration, useMatches } from 'react-router';
import { getAccessToken } from '../access-token.ts';
import { useTranslation } from '../i18n.ts';
import { useNotificationSocket } from '../socket.ts';
import { ToastProvider } from '../ui/toast.tsx';
import { useApplyPreferences, useCurrentUser, useSilentRefresh } from '../user.ts';
import { ConnectionStrip } from './connection-strip.tsx';
import { Drawer } from './drawer.tsx';
import { scrollKey } from './scroll-key.ts';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';
import { TopBar } from './top-bar.tsx';

const PAGE_TRANSITION_MS = 140;

/** Layout of the application: skip link, top bar, sidebar and socket. */
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
  // The visitors' menu has no toggle on wide screens.
  const sidebarVisible = !sidebar.narrow && (sidebar.open || !signedIn);
  return (
    <ToastProvider>
      <a
        href="#page"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border border-control bg-surface px-3 py-1.5 focus:translate-y-0"
      >
        {t('skip')}
      </a>
      <TopBar
        user={user}
        signedIn={signedIn}
        menu={{ id: menuId, open: sidebar.open, toggle: sidebar.toggle, shown: signedIn || sidebar.narrow }}
      />
      <ConnectionStrip />
      <div className="flex min-h-[calc(100vh-48px)]">
        {sidebarVisible && (
          <aside
            id={menuId}
            aria-label={t('menu.menu')}
            className="sticky top-[calc(3rem+var(--strip,0px))] flex h-[calc(100vh-3rem-var(--strip,0px))] w-52 shrink-0 flex-col overflow-y-auto border-r border-border bg-surface"
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
      <ScrollRestoration getKey={scrollKey} />
    </ToastProvider>
  );
}

/** Registers an existing push subscription for the signed-in user. */
function useResyncPush(userId: string | undefined): void {
  useEffect(() => {
    if (!userId || globalThis.Notification?.permission !== 'granted') return;
    import('../push.ts')
      .then(({ resyncPushSubscription }) => resyncPushSubscription())
      // The next load of the application tries again.
      .catch(() => undefined);
  }, [userId]);
}

/** Path of the page, the same for all tabs below it: layouts around pages have none of their own. */
function usePagePath(): string {
  return useMatches().find(({ pathname }) => pathname !== '/')?.pathname ?? '/';
}

/** Main content. A new page fades in and receives focus. */
function Page() {
  const path = usePagePath();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path || main.current === null) return;
    shown.current = path;
    const { activeElement: active } = document;
    // A field of the new page, or the search box.
    const isField = active instanceof HTMLInputElement || main.current.contains(active);
    if (!isField) main.current.focus({ preventScroll: true });
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
  }, [path]);
  return (
    <main ref={main} id="page" tabIndex={-1} className="page min-w-0 flex-1">
      <Suspense>
        <Outlet />
      </Suspense>
    </main>
  );
}
