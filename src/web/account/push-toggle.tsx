import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../i18n.ts';
import { getPushState, subscribeToPush, unsubscribeFromPush } from '../push.ts';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Enables and disables push notifications in this browser. */
export function PushToggle() {
  const { t } = useTranslation('settings');
  const state = useQuery({ queryKey: accountKeys.push, queryFn: getPushState });
  const change = useMutation({
    mutationFn: () => (state.data === 'on' ? unsubscribeFromPush() : subscribeToPush()),
    onSettled: () => state.refetch(),
  });
  if (!state.data) return null;
  const canChange = state.data === 'on' || state.data === 'off';
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="text-muted">{t(`notifications.browser.${state.data}`)}</span>
        {canChange && (
          <Button size="small" loading={change.isPending} onClick={() => change.mutate()}>
            {t(state.data === 'on' ? 'notifications.browser.stop' : 'notifications.browser.allow')}
          </Button>
        )}
      </div>
      {change.isError && (
        <Notice kind="error" onRetry={() => change.mutate()}>
          {t('notifications.browser.failed')}
        </Notice>
      )}
    </div>
  );
}
