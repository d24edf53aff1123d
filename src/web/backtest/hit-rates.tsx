import { useTranslation } from '../i18n.ts';
import { formatPercent } from '../parts/format-percent.ts';
import type { ProjectBacktest } from './backtest-tab.tsx';

type Rates = Pick<NonNullable<ProjectBacktest['metrics']>, 'files' | 'functions' | 'causes'>;

const KINDS = ['files', 'functions', 'causes'] as const;
const CUTOFFS = ['at1', 'at3', 'at5'] as const;

/** Hit rates at 1, 3 and 5 for files, functions and causes. */
export function HitRates({ rates }: { rates: Rates }) {
  const { t } = useTranslation('backtest');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section aria-label={t('hits.title')} tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-[34rem] border-b border-border">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="py-1.5 pr-4 font-normal">
              {t('hits.kind')}
            </th>
            {CUTOFFS.map((depth) => (
              <th key={depth} scope="col" className="w-1/5 py-1.5 pr-4 font-normal">
                {t(`hits.${depth}`)}
              </th>
            ))}
            <th scope="col" className="py-1.5 text-right font-normal">
              {t('hits.cases')}
            </th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => (
            <tr key={kind} className="h-9 border-t border-border">
              <th scope="row" className="py-1.5 pr-4 text-left font-medium">
                {t(`hits.${kind}`)}
                <span className="block text-sm font-normal text-muted">{t(`hits.definition.${kind}`)}</span>
              </th>
              {CUTOFFS.map((depth) => (
                <td key={depth} className="pr-4">
                  {rates[kind].case_count > 0 ? <PercentBar value={rates[kind][depth]} /> : <span>–</span>}
                </td>
              ))}
              <td className="text-right text-muted tabular-nums">{rates[kind].case_count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PercentBar({ value }: { value: number }) {
  const { i18n } = useTranslation();
  return (
    <span className="flex items-center gap-2.5">
      <span className="w-[5ch] text-right whitespace-nowrap tabular-nums">
        {formatPercent(value, i18n.language)}
      </span>
      <span aria-hidden className="h-2 flex-1 overflow-hidden rounded-sm bg-border">
        <span className="block h-full bg-action" style={{ width: `${value * 100}%` }} />
      </span>
    </span>
  );
}
