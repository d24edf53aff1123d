import { CircleCheck, RotateCcw } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { useErrorChanges } from '../parts/use-error-changes.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Session } from './answer.tsx';

/** Resolves or reopens the error of a session; nothing for readers who may not. */
export function ResolveButton({ session: { error, state } }: { session: Session }) {
  const { t } = useTranslation('inbox');
  const change = useErrorChanges();
  if (!error.is_editable) return null;
  const isSolved = state === 'solved';
  const Icon = isSolved ? RotateCcw : CircleCheck;
  const save = () => change.mutate({ errors: [error], change: { state: isSolved ? 'open' : 'solved' } });
  return (
    <>
      <Button loading={change.isPending} onClick={save}>
        <Icon aria-hidden className="size-4" />
        {t(isSolved ? 'reopen' : 'resolve')}
      </Button>
      {change.error && (
        <Notice kind="error" className="order-last w-full" onRetry={save}>
          {change.error.message}
        </Notice>
      )}
    </>
  );
}
