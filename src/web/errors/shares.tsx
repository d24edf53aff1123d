import { useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { formatPercent } from '../parts/format-percent.ts';
import { Verbatim } from '../parts/verbatim.tsx';

const MAX_SHOWN = 4;

interface SharesProps {
  values: readonly { value: string; count: number }[];
  /** Events of which the shares are. */
  total: number;
  /** Errors with this value. */
  linkTo: (value: string) => string;
  /** Value as shown; as it is when absent. */
  format?: (value: string) => string;
}

/** Values as bars with their shares, most frequent first; each leads to the errors that have it. */
export function Shares({ values, total, linkTo, format = (value) => value }: SharesProps) {
  const { t, i18n } = useTranslation('errors-page');
  const [isOpen, setIsOpen] = useState(false);
  const number = new Intl.NumberFormat(i18n.language);
  const shown = isOpen ? values : values.slice(0, MAX_SHOWN);
  const all = Math.max(
    total,
    values.reduce((sum, { count }) => sum + count, 0),
    1,
  );
  return (
    <>
      <ul className="flex flex-col gap-0.5">
        {shown.map(({ value, count }) => (
          <li key={value} className="relative flex min-h-6 items-center overflow-hidden rounded-sm">
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 rounded-sm bg-chart-band"
              style={{ width: `${(count / all) * 100}%` }}
            />
            <Link
              to={linkTo(value)}
              title={t('share', { count, value: number.format(count) })}
              className="relative flex min-w-0 flex-1 gap-3 px-1.5 hover:text-action focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1 truncate font-mono text-sm">
                {value === '' ? (
                  <span className="text-muted">{t('empty_value')}</span>
                ) : (
                  <Verbatim text={format(value)} />
                )}
              </span>
              <span className="text-sm text-muted">{formatPercent(count / all, i18n.language)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {values.length > MAX_SHOWN && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="link mt-1 text-sm"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t('show_less') : t('show_more', { count: values.length - MAX_SHOWN })}
        </button>
      )}
    </>
  );
}
