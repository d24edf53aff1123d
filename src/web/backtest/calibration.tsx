import { useTranslation } from 'react-i18next';
import type { Backtest } from './backtest-tab.tsx';

type Figures = NonNullable<Backtest['figures']>['calibration'];

/** Units of the drawing: a square of 100 with room for the numbers of its axes. */
const SIDE = 100;
const MARKS = [0, 50, 100];

/** What was stated against what came true: points on the diagonal mean that a percentage can be taken at its word. */
export function Calibration({ calibration: { error, bins } }: { calibration: Figures }) {
  const { t } = useTranslation('backtest');
  const most = Math.max(...bins.map(({ cases }) => cases));
  return (
    <div className="flex flex-wrap items-start gap-x-12 gap-y-6">
      <figure className="w-72 max-w-full">
        <svg viewBox="-16 -6 124 126" role="img" aria-label={t('calibration.chart')} className="w-full">
          <g className="stroke-rule" fill="none" strokeWidth={0.6}>
            <rect width={SIDE} height={SIDE} />
            <path d={`M0 ${SIDE} L${SIDE} 0`} strokeDasharray="2 2" className="stroke-edge" />
          </g>
          {bins.map(({ from, cases, stated, right }) => (
            <circle
              key={from}
              cx={stated * SIDE}
              cy={(1 - right) * SIDE}
              r={1.8 + 3.2 * Math.sqrt(cases / most)}
              className="fill-action"
            />
          ))}
          <g className="fill-muted" fontSize={5}>
            {MARKS.map((mark) => (
              <g key={mark}>
                <text x={mark} y={SIDE + 8} textAnchor="middle">
                  {mark}%
                </text>
                <text x={-3} y={SIDE - mark + 1.8} textAnchor="end">
                  {mark}%
                </text>
              </g>
            ))}
            <text x={SIDE / 2} y={SIDE + 17} textAnchor="middle">
              {t('calibration.stated')}
            </text>
          </g>
        </svg>
        <figcaption className="text-muted">
          {t('calibration.error', { value: (error * 100).toFixed(1) })}
        </figcaption>
      </figure>
      <table className="min-w-64 border-b border-rule tabular-nums">
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
          {bins.map(({ from, to, cases, stated, right }) => (
            <tr key={from} className="h-8 border-t border-rule text-right">
              <th scope="row" className="text-left font-normal">
                {percent(from)}–{percent(to)}
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

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
