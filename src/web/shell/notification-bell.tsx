import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { QueryState } from '../ui/query-state.tsx';

const MAX_BADGE_COUNT = 99;
/** Delay before closing, so that the pointer can cross the gap to the panel. */
const HOVER_CLOSE_DELAY_MS = 150;

/** Link to the notifications with an unread badge; a panel opens on hover, focus and touch. */
export function NotificationBell() {
  const { t } = useTranslation('shell');
  const unread = useQuery(apiQuery('GET /notifications/unread-count'));
  const count = unread.data?.count ?? 0;
  const badge = count > MAX_BADGE_COUNT ? `${MAX_BADGE_COUNT}+` : String(count);
  const panel = useHoverPanel();
  const id = useId();
  return (
    <div className="relative" {...panel.around}>
      <Link
        to="/notifications"
        aria-label={count > 0 ? t('bell.label_unread', { badge }) : t('bell.label')}
        aria-describedby={panel.open ? id : undefined}
        className="relative inline-flex size-8 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:bg-select hover:text-foreground"
        {...panel.link}
      >
        <BellIcon aria-hidden="true" className="size-4" />
        {count > 0 && (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 left-3 min-w-4 rounded-full bg-action px-1 text-center text-xs leading-4 font-semibold text-on-action"
          >
            {badge}
          </span>
        )}
      </Link>
      {panel.open && (
        <div
          id={id}
          className="absolute top-full right-0 z-40 mt-1 w-64 rounded-lg border border-border bg-surface shadow-overlay max-sm:fixed max-sm:top-12 max-sm:right-2"
        >
          <div className="border-b border-border px-3 py-2.5">
            <QueryState query={unread} loading={['64%']}>
              {(data) => <UnreadSummary count={data.count} />}
            </QueryState>
          </div>
          <Link
            to="/notifications"
            onClick={panel.close}
            className="block rounded-b-lg px-3 py-2 text-action hover:bg-select focus-visible:-outline-offset-2"
          >
            {t('bell.view_all')}
          </Link>
        </div>
      )}
    </div>
  );
}

/** Unread count, or that there is nothing new. */
function UnreadSummary({ count }: { count: number }) {
  const { t } = useTranslation('shell');
  if (count > 0) return <p className="font-semibold">{t('bell.unread', { count })}</p>;
  return (
    <>
      <p className="font-semibold">{t('bell.none')}</p>
      <p className="text-muted">{t('bell.caught_up')}</p>
    </>
  );
}

/** Opens on hover and focus; Esc closes. A first touch opens, a second follows the link. */
function useHoverPanel() {
  const [open, setOpen] = useState(false);
  const closeTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const touchOpens = useRef(false);
  const close = () => setOpen(false);
  useEffect(() => {
    if (!open) return;
    const closeByKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    addEventListener('keydown', closeByKey);
    return () => removeEventListener('keydown', closeByKey);
  }, [open]);
  useEffect(() => () => clearTimeout(closeTimer.current), []);
  return {
    open,
    close,
    around: {
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        clearTimeout(closeTimer.current);
        if (pointerType === 'mouse') setOpen(true);
      },
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') closeTimer.current = setTimeout(close, HOVER_CLOSE_DELAY_MS);
      },
      onFocus: () => setOpen(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) close();
      },
    },
    link: {
      onPointerDown: ({ pointerType }: PointerEvent) => {
        touchOpens.current = pointerType === 'touch' && !open;
      },
      onClick: (event: MouseEvent) => {
        if (touchOpens.current) event.preventDefault();
        else close();
        touchOpens.current = false;
      },
    },
  };
}
