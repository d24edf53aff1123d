import { useTranslation } from '../i18n.ts';
import { Field, Input } from '../ui/field.tsx';
import type { DraftFieldProps } from './proof-draft.ts';

/** Ends of a bisection; both may be left empty. */
export function RevisionFields({ draft, plan, errors, onChange }: DraftFieldProps) {
  const { t } = useTranslation('proofs');
  const input = {
    maxLength: 200,
    spellCheck: false,
    autoCapitalize: 'off',
    className: 'font-mono text-code',
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('ends.good')} error={errors.good} hint={t('ends.good_hint')}>
        <Input
          {...input}
          value={draft.good}
          placeholder={t('ends.good_placeholder')}
          onChange={(event) => onChange({ good: event.target.value })}
        />
      </Field>
      <Field label={t('ends.bad')} error={errors.bad}>
        <Input
          {...input}
          value={draft.bad}
          placeholder={t('ends.bad_placeholder', { commit: plan.bad.slice(0, 7) })}
          onChange={(event) => onChange({ bad: event.target.value })}
        />
      </Field>
    </div>
  );
}
