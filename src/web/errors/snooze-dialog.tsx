import { type ReactNode, useState } from 'react';
import type { ErrorChange } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import type { ErrorDialogProps } from './resolve-in-release-dialog.tsx';

const HOUR_MS = 3_600_000;
/** Lengths that one click chooses, in hours. */
const LENGTHS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
const MAX_EVENTS = 1_000_000;

/** Chooses the end of snoozing: a time, a number of further events, or an event of a newer release. */
export function SnoozeDialog({ errors, onClose, onChange }: ErrorDialogProps) {
  const { t } = useTranslation('errors-page');
  const snooze = (end: NonNullable<ErrorChange['snooze']>) => onChange({ state: 'snoozed', snooze: end });
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
          <Button
            key={name}
            onClick={() => snooze({ until: new Date(Date.now() + hours * HOUR_MS).toISOString() })}
          >
            {t(`snooze.lengths.${name}`)}
          </Button>
        ))}
      </fieldset>
      <UntilForm onSnooze={(until) => snooze({ until })} />
      <EventsForm onSnooze={(events) => snooze({ events })} />
      {new Set(errors.map(({ project_id }) => project_id)).size === 1 && (
        <ReleaseForm
          last={errors.find(({ last_release }) => last_release !== null)?.last_release ?? ''}
          onSnooze={(release) => snooze({ after_release: release })}
        />
      )}
    </Dialog>
  );
}

function UntilForm({ onSnooze }: { onSnooze: (until: string) => void }) {
  const { t } = useTranslation('errors-page');
  const [date, setDate] = useState('');
  const until = Date.parse(date);
  const isValid = until > Date.now();
  return (
    <EndForm
      label={t('snooze.until')}
      isValid={isValid}
      onSubmit={() => onSnooze(new Date(until).toISOString())}
    >
      <Input
        type="datetime-local"
        min={localMinute(Date.now())}
        value={date}
        onChange={(event) => setDate(event.target.value)}
      />
    </EndForm>
  );
}

function EventsForm({ onSnooze }: { onSnooze: (events: number) => void }) {
  const { t } = useTranslation('errors-page');
  const [events, setEvents] = useState('100');
  const count = /^\d{1,7}$/.test(events) ? Number(events) : 0;
  return (
    <EndForm
      label={t('snooze.events')}
      isValid={count >= 1 && count <= MAX_EVENTS}
      onSubmit={() => onSnooze(count)}
    >
      <Input
        inputMode="numeric"
        maxLength={7}
        value={events}
        onChange={(event) => setEvents(event.target.value)}
      />
    </EndForm>
  );
}

/** Begins with the last release that has the error, so that one click waits for the next. */
function ReleaseForm({ last, onSnooze }: { last: string; onSnooze: (release: string) => void }) {
  const { t } = useTranslation('errors-page');
  const [release, setRelease] = useState(last);
  return (
    <EndForm
      label={t('snooze.release')}
      isValid={release.trim() !== ''}
      onSubmit={() => onSnooze(release.trim())}
    >
      <Input
        className="font-mono"
        maxLength={200}
        placeholder="2.4.1"
        value={release}
        onChange={(event) => setRelease(event.target.value)}
      />
    </EndForm>
  );
}

interface EndFormProps {
  label: string;
  isValid: boolean;
  onSubmit: () => void;
  /** The input. */
  children: ReactNode;
}

function EndForm({ label, isValid, onSubmit, children }: EndFormProps) {
  const { t } = useTranslation('errors-page');
  return (
    <form
      className="mt-4 flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onSubmit();
      }}
    >
      <div className="min-w-0 flex-1">
        <Field label={label}>{children}</Field>
      </div>
      <Button type="submit" disabled={!isValid}>
        {t('snooze.submit')}
      </Button>
    </form>
  );
}

/** Value of a `datetime-local` field. */
function localMinute(at: number): string {
  const time = new Date(at);
  time.setMinutes(time.getMinutes() - time.getTimezoneOffset());
  return time.toISOString().slice(0, 16);
}
