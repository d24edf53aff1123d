import { useTranslation } from '../i18n.ts';
import { Field, Input, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { type DraftFieldProps, type PatchOption, patchOptions, splitOption } from './proof-draft.ts';

/** The patch to verify, and the wider command that it must not make worse. */
export function PatchField({ draft, plan, session, errors, onChange }: DraftFieldProps) {
  const { t } = useTranslation('proofs');
  const options = patchOptions(session, plan, draft.unsaved);
  const label = (option: PatchOption) => {
    const [source, name = ''] = splitOption(option);
    return t(`patch.${source}`, { name, commit: name.slice(0, 7) });
  };
  if (options.length === 0) return <Notice>{t('patch.none')}</Notice>;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('patch.label')} error={errors.patch ?? errors.revert ?? errors.branch}>
        <Select
          value={draft.patch ?? ''}
          onChange={(event) => onChange({ patch: event.target.value as PatchOption })}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {label(option)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('check.label')} error={errors.check} hint={t('check.hint')}>
        <Input
          value={draft.check}
          maxLength={2000}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={t('check.placeholder')}
          className="font-mono text-code"
          onChange={(event) => onChange({ check: event.target.value })}
        />
      </Field>
    </div>
  );
}
