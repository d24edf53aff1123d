import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from './button.tsx';

type NoticeKind = 'info' | 'success' | 'warning' | 'error';

/** Icon, and classes of the notice and its icon. An error is ink with a heavy edge, unlike any note. */
const NOTICE_KINDS: Record<NoticeKind, [LucideIcon, string, string]> = {
  info: [Info, 'border-border bg-surface', 'text-muted'],
  success: [CircleCheck, 'border-border bg-surface', 'text-success'],
  warning: [TriangleAlert, 'border-border bg-surface', 'text-warning'],
  error: [CircleAlert, 'border-border border-l-3 border-l-foreground bg-alert pl-2.5', 'state-solid'],
};

interface NoticeProps {
  kind?: NoticeKind;
  children: ReactNode;
  /** Offers Retry, which is pending until the returned promise settles. */
  onRetry?: (() => unknown) | undefined;
  /** Other action. */
  action?: ReactNode;
  className?: string;
}

/** Inline message; errors are announced immediately. */
export function Notice({ kind = 'info', children, onRetry, action, className }: NoticeProps) {
  const [Icon, look, iconLook] = NOTICE_KINDS[kind];
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={clsx(
        'flex items-start gap-2.5 rounded-md border px-3 py-2',
        // On narrow screens the action wraps below the text.
        action && 'max-sm:flex-wrap',
        look,
        className,
      )}
    >
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', iconLook)} />
      <div className={clsx('min-w-0 flex-1 wrap-anywhere', action && 'max-sm:basis-[80%]')}>{children}</div>
      {action && <div className="max-sm:ml-6.5">{action}</div>}
      {onRetry && <Retry onRetry={onRetry} />}
    </div>
  );
}

/** The notice stays during the retry, so the button shows the progress. */
function Retry({ onRetry }: { onRetry: () => unknown }) {
  const { t } = useTranslation('ui');
  const [trying, setTrying] = useState(false);
  const retry = async () => {
    setTrying(true);
    try {
      await onRetry();
    } finally {
      setTrying(false);
    }
  };
  return (
    <Button kind="plain" size="small" loading={trying} onClick={() => void retry()} className="-my-0.5">
      {t('retry')}
    </Button>
  );
}
