import { useTranslation } from '../i18n.ts';
import { formatPercent } from '../parts/format-percent.ts';
import type { ProjectBacktest } from './backtest-tab.tsx';

type CalibrationMetrics = NonNullable<ProjectBacktest['metrics']>['calibration'];

/** Size of the plot in SVG units; the axis labels lie outside. */
const SIZE = 100;
const TICKS = [0, 50, 100];

/** Stated confidence against accuracy; points on the diagonal are perfectly calibrated. */
export function CalibrationChart({
  calibration: { expected_error: error, bins },
}: {
  calibration: CalibrationMetrics;
}) {
  const { t, i18n } = useTranslation('backtest');
  const percent = (share: number) => formatPercent(share, i18n.language);
  const decimal = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const maxCases = Math.max(...bins.map(({ case_count: cases }) => cases));
  return (
    <div className="flex flex-wrap items-start gap-x-12 gap-y-6">
      <figure className="w-72 max-w-full">
        <svg viewBox="-18 -6 126 126" role="img" aria-label={t('calibration.chart')} className="w-full">
          <g className="stroke-border" fill="none" strokeWidth={0.6}>
            <rect width={SIZE} height={SIZE} />
            <path d={`M0 ${SIZE} L${SIZE} 0`} strokeDasharray="2 2" className="stroke-control" />
          </g>
          {bins.map(({ from, case_count: cases, mean_confidence: stated, accuracy: right }) => (
            <circle
              key={from}
              cx={stated * SIZE}
              cy={(1 - right) * SIZE}
              r={1.8 + 3.2 * Math.sqrt(cases / maxCases)}
              className="fill-action"
            />
          ))}
          <g className="fill-muted" fontSize={5}>
            {TICKS.map((mark) => (
              <g key={mark}>
                <text x={mark} y={SIZE + 8} textAnchor="middle">
                  {percent(mark / SIZE)}
                </text>
                <text x={-3} y={SIZE - mark + 1.8} textAnchor="end">
                  {percent(mark / SIZE)}
                </text>
              </g>
            ))}
            <text x={SIZE / 2} y={SIZE + 17} textAnchor="middle">
              {t('calibration.stated')}
            </text>
          </g>
        </svg>
        <figcaption className="text-muted">
          {t('calibration.error', { value: decimal.format(error * 100) })}
        </figcaption>
      </figure>
      <table className="min-w-64 border-b border-border tabular-nums">
        <thead>
          <tr className="text-muted">
            {(['range', 'stated', 'right', 'cases'] as const).map((column) => (
              <th
                key={column}
                scope="col"
                className="py-1.5 pl-6 text-right font-normal first:pl-0 first:text-left"
              >
                {t(`calibration.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bins.map(({ from, to, case_count: cases, mean_confidence: stated, accuracy: right }) => (
            <tr key={from} className="h-8 border-t border-border text-right">
              <th scope="row" className="text-left font-normal">
                {percent(from)} – {percent(to)}
              </th>
              <td>{percent(stated)}</td>
              <td>{percent(right)}</td>
              <td className="text-muted">{cases}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
