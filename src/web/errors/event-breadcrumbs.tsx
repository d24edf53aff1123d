import { clsx } from 'clsx';
import { useState } from 'react';
import type { ErrorEventDetail } from '#contract/error-events.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';

const MAX_SHOWN = 10;

/** Breadcrumbs before an event, oldest first and the error last; the newest ones until all are asked for. */
export function EventBreadcrumbs({ event: { at, breadcrumbs } }: { event: ErrorEventDetail }) {
  const { t } = useTranslation('errors-page');
  const [isOpen, setIsOpen] = useState(false);
  const hidden = isOpen ? 0 : Math.max(0, breadcrumbs.length - MAX_SHOWN);
  return (
    <div>
      <h3 className="mb-1">{t('breadcrumbs.title')}</h3>
      {hidden > 0 && (
        <button type="button" className="link mb-1 text-sm" onClick={() => setIsOpen(true)}>
          {t('breadcrumbs.earlier', { count: hidden })}
        </button>
      )}
      <ol className="border-b border-border">
        {breadcrumbs.slice(hidden).map((crumb, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: breadcrumbs never move.
            key={index}
            className="grid min-h-8 grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 border-t border-border py-1.5 sm:grid-cols-[4.5rem_10rem_minmax(0,1fr)]"
          >
            <Elapsed from={crumb.at} to={at} />
            <span className="truncate font-mono text-sm text-muted">
              {crumb.category && <Verbatim text={crumb.category} />}
            </span>
            <span
              className={clsx(
                'font-mono text-code wrap-anywhere max-sm:col-span-2',
                /^(?:error|fatal|warning)$/.test(crumb.level ?? '') && 'font-semibold',
              )}
            >
              {crumb.level === 'warning' && <span className="text-warning">{t('level.warning')} </span>}
              {/^(?:error|fatal)$/.test(crumb.level ?? '') && <span>{t(`level.${crumb.level}`)} </span>}
              <Verbatim text={crumb.message} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Time before the error: `-3.2 s`. */
function Elapsed({ from, to }: { from: string | null; to: string }) {
  const { i18n } = useTranslation('errors-page');
  if (from === null) return <span />;
  const seconds = (Date.parse(from) - Date.parse(to)) / 1_000;
  const [value, unit] =
    Math.abs(seconds) < 120
      ? [seconds, 'second']
      : Math.abs(seconds) < 7_200
        ? [seconds / 60, 'minute']
        : [seconds / 3_600, 'hour'];
  const format = new Intl.NumberFormat(i18n.language, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
    maximumFractionDigits: Math.abs(seconds) < 10 ? 1 : 0,
  });
  return (
    <time dateTime={from} className="text-right text-sm whitespace-nowrap text-muted">
      {format.format(value as number)}
    </time>
  );
}
