import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import type { ErrorDialogProps } from './resolve-in-release-dialog.tsx';

const HOUR_MS = 3_600_000;
/** Lengths that one click chooses, in hours. */
const LENGTHS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
const MAX_EVENTS = 1_000_000;

/** Chooses the end of snoozing: after a time, at a date, or after a number of further events. */
export function SnoozeDialog({ errors, onClose, onChange }: ErrorDialogProps) {
  const { t } = useTranslation('errors-page');
  const [date, setDate] = useState('');
  const [events, setEvents] = useState('100');
  const until = Date.parse(date);
  const count = /^\d{1,7}$/.test(events) ? Number(events) : 0;
  const isCount = count >= 1 && count <= MAX_EVENTS;
  const snoozeUntil = (at: number) =>
    onChange({ state: 'snoozed', snooze: { until: new Date(at).toISOString() } });
  const submitDate = (event: FormEvent) => {
    event.preventDefault();
    if (until > Date.now()) snoozeUntil(until);
  };
  const submitCount = (event: FormEvent) => {
    event.preventDefault();
    if (isCount) onChange({ state: 'snoozed', snooze: { events: count } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('snooze.title', { count: errors.length })}
      description={t('snooze.text')}
      size="narrow"
    >
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-1 font-semibold">{t('snooze.for')}</legend>
        {Object.entries(LENGTHS).map(([name, hours]) => (
          <Button key={name} onClick={() => snoozeUntil(Date.now() + hours * HOUR_MS)}>
            {t(`snooze.lengths.${name}`)}
          </Button>
        ))}
      </fieldset>
      <form className="mt-4 flex items-end gap-2" onSubmit={submitDate}>
        <div className="min-w-0 flex-1">
          <Field label={t('snooze.until')}>
            <Input
              type="datetime-local"
              min={localMinute(Date.now())}
              value={date}
              onChange={(event) => setDate(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" disabled={!(until > Date.now())}>
          {t('snooze.submit')}
        </Button>
      </form>
      <form className="mt-4 flex items-end gap-2" onSubmit={submitCount}>
        <div className="min-w-0 flex-1">
          <Field label={t('snooze.events')}>
            <Input
              inputMode="numeric"
              maxLength={7}
              value={events}
              onChange={(event) => setEvents(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" disabled={!isCount}>
          {t('snooze.submit')}
        </Button>
      </form>
    </Dialog>
  );
}

/** Value of a `datetime-local` field. */
function localMinute(at: number): string {
  const time = new Date(at);
  time.setMinutes(time.getMinutes() - time.getTimezoneOffset());
  return time.toISOString().slice(0, 16);
}
