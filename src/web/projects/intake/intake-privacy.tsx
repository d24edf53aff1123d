import { type FormEvent, useState } from 'react';
import type { ProjectIntake } from '#contract/intake.ts';
import { useTranslation } from '../../i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { IntakeChanges } from './use-intake.ts';

/** Days that are offered; another number that was set by the API is offered too. */
const RETENTION_CHOICES = [7, 30, 90, 180, 365];

/** Retention, and what is removed from events before they are stored. */
export function IntakePrivacy({
  intake,
  changes: { update },
}: {
  intake: ProjectIntake;
  changes: IntakeChanges;
}) {
  const { t } = useTranslation('intake');
  const [days, setDays] = useState(intake.retention_days);
  const [defaults, setDefaults] = useState(intake.scrub_defaults);
  const [fields, setFields] = useState(intake.scrub_fields.join(', '));
  const choices = [...new Set([...RETENTION_CHOICES, intake.retention_days])].sort((a, b) => a - b);
  const fieldError = Object.entries(update.error?.fields ?? {}).find(([name]) =>
    name.startsWith('scrub_fields'),
  )?.[1];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ retention_days: days, scrub_defaults: defaults, scrub_fields: toNames(fields) });
  };
  const isSaving = update.isPending && update.variables?.enabled === undefined;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 border-t border-border pt-4">
      <h3>{t('privacy.title')}</h3>
      {update.error && !fieldError && <Notice kind="error">{update.error.message}</Notice>}
      <div>
        <Switch
          label={<span className="font-semibold">{t('privacy.scrub')}</span>}
          checked={defaults}
          aria-describedby="intake-scrub-hint"
          onChange={({ target }) => setDefaults(target.checked)}
        />
        <p id="intake-scrub-hint" className="pr-12 text-sm text-muted">
          {t('privacy.scrub_hint')}
        </p>
      </div>
      <Field label={t('privacy.fields')} hint={t('privacy.fields_hint')} error={fieldError}>
        <Input
          value={fields}
          spellCheck={false}
          autoCapitalize="off"
          placeholder="tenant_id, iban"
          className="font-mono text-code"
          onChange={({ target }) => setFields(target.value)}
        />
      </Field>
      <Field label={t('privacy.retention')} hint={t('privacy.retention_hint')}>
        <Select
          className="max-w-[200px]"
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {t('privacy.days', { count: choice })}
            </option>
          ))}
        </Select>
      </Field>
      <div className="flex items-center gap-3">
        <Button type="submit" loading={isSaving}>
          {t(isSaving ? 'privacy.saving' : 'privacy.save')}
        </Button>
        {update.isSuccess && !isSaving && (
          <span role="status" className="text-sm text-muted">
            {t('privacy.saved')}
          </span>
        )}
      </div>
    </form>
  );
}

/** Names separated by commas or spaces. */
function toNames(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/))].filter(Boolean);
}
