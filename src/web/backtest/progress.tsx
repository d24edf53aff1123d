import { useTranslation } from '../i18n.ts';
import { Spinner } from '../ui/button.tsx';
import type { ProjectBacktest } from './backtest-tab.tsx';

/** Progress of the replay. */
export function BacktestProgress({ backtest: { done, total } }: { backtest: ProjectBacktest }) {
  const { t } = useTranslation('backtest');
  return (
    <div className="border-t border-border py-4">
      <p role="status" className="flex items-center gap-2.5">
        <Spinner />
        {total === null ? t('progress.seeking') : t('progress.replayed', { done, count: total })}
      </p>
      {total !== null && (
        <div aria-hidden className="mt-3 h-1.5 max-w-md overflow-hidden rounded-sm bg-border">
          <div
            className="h-full bg-action transition-[width] duration-150"
            style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }}
          />
        </div>
      )}
    </div>
  );
}
