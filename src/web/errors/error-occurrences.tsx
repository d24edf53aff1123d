import { useState } from 'react';
import type { ErrorDetail } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { OccurrenceChart } from './occurrence-chart.tsx';

/** Occurrences by hour or by day, with the releases in which the error was first seen. */
export function ErrorOccurrences({ detail }: { detail: ErrorDetail }) {
  const { t } = useTranslation('errors-page');
  const [unit, setUnit] = useState<'hour' | 'day'>('day');
  return (
    <section aria-labelledby="occurrences">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="occurrences">{t('chart.title')}</h2>
        <fieldset className="flex gap-1">
          <legend className="sr-only">{t('chart.unit')}</legend>
          {(['day', 'hour'] as const).map((one) => (
            <Button
              key={one}
              kind="ghost"
              size="small"
              aria-pressed={one === unit}
              className="aria-pressed:bg-select aria-pressed:font-semibold"
              onClick={() => setUnit(one)}
            >
              {t(`chart.by.${one}`)}
            </Button>
          ))}
        </fieldset>
      </div>
      <OccurrenceChart
        label={t('chart.title')}
        unit={unit}
        values={unit === 'day' ? detail.days : detail.hours}
        releases={detail.releases}
      />
    </section>
  );
}
