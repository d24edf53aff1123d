import { clsx } from 'clsx';
import { Check, CircleAlert, CircleCheck, Info, type LucideIcon, Trash2, TriangleAlert } from 'lucide-react';
import type { MouseEventHandler } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { CodeSpans, SentenceText, useSentence } from '../parts/sentence-text.tsx';
import { IconButton } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import type { ListedNotification } from './use-notifications.ts';

const ICONS: Record<ListedNotification['type'], LucideIcon> = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
};

const ICON_COLORS: Record<ListedNotification['type'], string> = {
  info: 'text-muted',
  success: 'text-success',
  warning: 'text-warning',
  error: 'text-foreground',
};

interface NotificationRowProps {
  notification: ListedNotification;
  onRead: () => void;
  onDelete: () => void;
}

/** A notification with its actions. */
export function NotificationRow({ notification, onRead, onDelete }: NotificationRowProps) {
  const { t } = useTranslation('notifications');
  const { type, sentence, read, created_at, action_url } = notification;
  const title = useSentence()(sentence.title);
  const Icon = ICONS[type] ?? Info;
  return (
    <li className="border-b border-border">
      <div className="row items-start py-2.5">
        <span className={clsx('mt-0.5', ICON_COLORS[type])} title={t(`types.${type}`)}>
          <Icon aria-hidden="true" className="size-4" />
          <span className="sr-only">{t(`types.${type}`)}</span>
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h3 className={clsx('min-w-0 wrap-anywhere', read && 'font-normal')}>{title}</h3>
            {!read && (
              <span className="inline-flex items-center gap-1.5 text-sm text-action">
                <span aria-hidden="true" className="size-1.5 rounded-full bg-action" />
                {t('unread')}
              </span>
            )}
            <RelativeTime at={created_at} className="basis-full text-sm text-muted sm:hidden" />
          </div>
          <p className="max-w-[68ch] wrap-anywhere text-muted">
            <SentenceText sentence={sentence.message} />
          </p>
          <WhySent notification={notification} />
          {action_url && (
            <p className="mt-1">
              <NotificationLink url={action_url} onFollow={read ? undefined : onRead} />
            </p>
          )}
        </div>
        <RowActions className="-my-1 max-sm:flex-col">
          {!read && (
            <IconButton
              label={t('mark_read_named', { title })}
              title={t('mark_read')}
              icon={<Check aria-hidden="true" className="size-4" />}
              onClick={onRead}
            />
          )}
          <IconButton
            label={t('delete_named', { title })}
            title={t('delete')}
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            onClick={onDelete}
          />
        </RowActions>
        <RelativeTime at={created_at} className="min-w-24 text-right text-sm text-muted max-sm:hidden" />
      </div>
    </li>
  );
}

/** Reason for which the reader got it: a watch with the way to manage it, or the subject. */
function WhySent({ notification: { watch, about } }: Pick<NotificationRowProps, 'notification'>) {
  const { t } = useTranslation('notifications');
  if (!watch) return <p className="text-sm text-muted">{t(`why.${about}`)}</p>;
  return (
    <p className="text-sm wrap-anywhere text-muted">
      <CodeSpans text={t('watch.why', { watch: watch.label.replaceAll('`', '') })} />{' '}
      <Link to="/settings#watches" className="link">
        {t('watch.manage')}
      </Link>
    </p>
  );
}

/** Internal paths open here, http(s) URLs in a new tab; the contract allows nothing else. */
function NotificationLink({ url, onFollow }: { url: string; onFollow: MouseEventHandler | undefined }) {
  const { t } = useTranslation('notifications');
  const text = t('view_details');
  if (url.startsWith('/')) {
    return (
      <Link to={url} onClick={onFollow} className="link">
        {text}
      </Link>
    );
  }
  return (
    <a href={url} onClick={onFollow} target="_blank" rel="noreferrer noopener" className="link">
      {text}
    </a>
  );
}
