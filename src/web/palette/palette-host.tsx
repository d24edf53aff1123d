import { Search } from 'lucide-react';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { saveRecentPage } from '../parts/recent-pages.ts';
import { isSingleKey } from '../parts/single-keys.ts';
import { Kbd } from '../ui/kbd.tsx';
import { useCurrentUser } from '../user.ts';
import { GO_KEYS, PROJECT_GO_KEYS, projectPageUrl } from './go-keys.ts';

const Palette = lazyComponent(() => import('./palette.tsx').then((module) => module.Palette));
const KeyHelp = lazyComponent(() => import('./key-help.tsx').then((module) => module.KeyHelp));

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);
/** Time for the key after `g`. */
const GO_TIMEOUT_MS = 1_500;
/** Time after which a page has its title and counts as visited. */
const VISIT_MS = 1_000;

/** Search box of the frame: opens the palette, as Ctrl-K and ⌘-K do everywhere. */
export function PaletteHost() {
  const { t } = useTranslation('shell');
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null);
  const [text, setText] = useState('');
  const box = useRef<HTMLInputElement>(null);
  /** Focused before the palette, and again after it. */
  const focused = useRef<HTMLElement | null>(null);
  const show = (next: 'palette' | 'keys' | null) => {
    if (next === shown) return;
    if (shown !== 'palette') {
      setText('');
      focused.current = document.activeElement as HTMLElement | null;
    }
    setShown(next);
  };
  const close = () => show(null);
  const open = (typed: string) => {
    show('palette');
    setText(typed);
  };
  usePaletteKeys((next) => {
    show(next === shown ? null : next);
    // Takes what is typed until the palette is there, unless a dialog keeps the focus.
    if (next === 'palette' && shown === null && !document.querySelector('[role="dialog"]'))
      box.current?.focus();
  });
  useRecentPages();
  return (
    <search className="block max-w-[520px]">
      <div className="relative">
        <Search aria-hidden className="absolute top-2 left-2.5 size-4 text-muted" />
        <input
          type="search"
          ref={box}
          value={shown === 'palette' ? text : ''}
          onChange={({ target }) => open(target.value)}
          onClick={() => shown === null && open('')}
          onKeyDown={({ key }) => key === 'Enter' && shown === null && open('')}
          aria-label={t('search_label')}
          aria-haspopup="dialog"
          aria-keyshortcuts={IS_APPLE ? 'Meta+K' : 'Control+K'}
          placeholder={t('search_placeholder')}
          autoComplete="off"
          className="h-8 w-full cursor-pointer truncate rounded-md border border-control bg-background pr-2.5 pl-9 placeholder:text-muted hover:border-muted sm:pr-16"
        />
        <Kbd aria-hidden className="pointer-events-none absolute top-1.5 right-2.5 max-sm:hidden">
          {IS_APPLE ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      </div>
      <Suspense>
        {shown === 'palette' && (
          <Palette
            text={text}
            onText={setText}
            focusAfter={focused}
            onClose={close}
            showKeys={() => show('keys')}
          />
        )}
        {shown === 'keys' && <KeyHelp onClose={close} />}
      </Suspense>
    </search>
  );
}

/** Ctrl-K and ⌘-K; `?`; and `g` with another key. The first two are taken before the editor sees them. */
function usePaletteKeys(toggle: (shown: 'palette' | 'keys') => void) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  /** Null unless `g` was the last key; a time of 0 would make every key of a page's first moments a second one. */
  const goSince = useRef<number | null>(null);
  const go = (key: string): boolean => {
    const projectId = /^\/(?:projects|ide)\/([^/]+)/.exec(pathname)?.[1];
    const inProject = projectId && PROJECT_GO_KEYS.find((page) => page.key === key);
    const to = inProject
      ? projectPageUrl(projectId, inProject.to)
      : GO_KEYS.find((page) => page.key === key)?.to;
    if (to !== undefined) void navigate(to);
    return to !== undefined;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'k' && !event.shiftKey && (IS_APPLE ? event.metaKey : event.ctrlKey)) {
      event.preventDefault();
      event.stopPropagation();
      toggle('palette');
      return;
    }
    if (!isSingleKey(event)) return;
    // The time of the event: a busy page handles it later.
    const isSecond = goSince.current !== null && event.timeStamp - goSince.current < GO_TIMEOUT_MS;
    goSince.current = event.key === 'g' && !isSecond ? event.timeStamp : null;
    const isUsed = event.key === '?' || goSince.current !== null || (isSecond && go(event.key));
    if (!isUsed) return;
    event.preventDefault();
    // Pages have keys of their own, such as `e`.
    event.stopPropagation();
    if (event.key === '?') toggle('keys');
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener, { capture: true });
    return () => removeEventListener('keydown', listener, { capture: true });
  }, []);
}

/** Remembers the pages on which the user stays, for the palette. */
function useRecentPages() {
  const userId = useCurrentUser().data?.id;
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (userId === undefined) return;
    const save = () =>
      saveRecentPage(userId, { to: pathname + search, title: document.title.replace(/ · Hindsight$/, '') });
    const timer = setTimeout(save, VISIT_MS);
    return () => clearTimeout(timer);
  }, [userId, pathname, search]);
}
