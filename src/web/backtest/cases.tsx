import { clsx } from 'clsx';
import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { commitUrl } from '../parts/citation.ts';
import { formatPercent } from '../parts/format-percent.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import type { ProjectBacktest } from './backtest-tab.tsx';

type Case = ProjectBacktest['cases'][number];
type RankResult = Case['files'];

const KINDS = ['files', 'functions', 'causes'] as const;

/** Replayed fixes with the ranks of the correct file, function and cause. */
export function CaseTable({ cases, projectId }: { cases: Case[]; projectId: string }) {
  const { t, i18n } = useTranslation(['backtest', 'parts']);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section aria-label={t('cases.title')} tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-[40rem] table-fixed border-b border-border">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="py-1.5 font-normal">
              {t('cases.fix')}
            </th>
            {KINDS.map((kind) => (
              <th key={kind} scope="col" className="w-24 py-1.5 text-right font-normal">
                {t(`cases.${kind}`)}
              </th>
            ))}
            <th scope="col" className="w-24 py-1.5 text-right font-normal">
              {t('cases.confidence')}
            </th>
          </tr>
        </thead>
        <tbody>
          {cases.map((backtestCase) => (
            <tr key={backtestCase.hash} className="border-t border-border hover:bg-select">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal">
                <Link
                  to={commitUrl(projectId, backtestCase.hash)}
                  className="block truncate font-medium text-foreground hover:text-action"
                >
                  <Verbatim text={backtestCase.message} />
                </Link>
                <span className="flex min-w-0 gap-3 text-muted">
                  <span className="shrink-0">
                    {formatShortDateTime(backtestCase.timestamp, i18n.language) ?? t('parts:invalid_time')}
                  </span>
                  <span className="truncate font-mono text-sm">
                    <Verbatim text={backtestCase.files.expected[0] ?? ''} />
                  </span>
                </span>
              </th>
              {KINDS.map((kind) => (
                <td key={kind} className="text-right">
                  <RankCell finding={backtestCase[kind]} />
                </td>
              ))}
              <td className="text-right tabular-nums">
                {formatPercent(backtestCase.confidence, i18n.language)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RankCell({ finding: { expected, rank } }: { finding: RankResult }) {
  const { t } = useTranslation('backtest');
  if (expected.length === 0) return <span className="text-muted">{t('cases.unknown')}</span>;
  if (rank === null) return <span className="text-warning">{t('cases.missed')}</span>;
  return (
    <span className={clsx('tabular-nums', rank === 1 && 'font-semibold text-success')}>
      {t('cases.rank', { rank })}
    </span>
  );
}
