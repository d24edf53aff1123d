import { clsx } from 'clsx';
import { CircleAlert, Info } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

interface NoticeProps {
  kind?: 'info' | 'error';
  children: ReactNode;
  /** Offers Retry, which is pending until the returned promise settles. */
  onRetry?: (() => unknown) | undefined;
  /** Other action. */
  action?: ReactNode;
  className?: string;
}

/** Inline message; errors are announced immediately. */
export function Notice({ kind = 'info', children, onRetry, action, className }: NoticeProps) {
  const Icon = kind === 'error' ? CircleAlert : Info;
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={clsx(
        'flex items-start gap-2.5 rounded-md border bg-surface px-3 py-2',
        // On narrow screens the action wraps below the text.
        action && 'max-sm:flex-wrap',
        kind === 'error' ? 'border-foreground' : 'border-border',
        className,
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
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
