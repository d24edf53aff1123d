import { useState } from 'react';
import type { Profile } from '#contract/account.ts';
import type { Language } from '#locales/languages.ts';
import { LANGUAGE_NAMES, useTranslation } from '../i18n.ts';
import { Field, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { useUpdatePreferences } from '../user.ts';

/** Theme and language, applied and saved immediately. */
export function Appearance({ preferences }: { preferences: Profile['preferences'] }) {
  const { t } = useTranslation('settings');
  const change = useUpdatePreferences();
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (part: Partial<Profile['preferences']>) => {
    setFailure(null);
    await change(part).catch((error: Error) => setFailure(error.message));
  };
  const themes = {
    light: t('appearance.themes.light'),
    dark: t('appearance.themes.dark'),
    system: t('appearance.themes.system'),
  };
  return (
    <Section anchor="appearance" title={t('appearance.title')} lead={t('appearance.lead')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SegmentedControl
          legend={t('appearance.theme')}
          options={themes}
          value={preferences.theme}
          onChange={(theme) => void choose({ theme })}
        />
        <Field label={t('appearance.language')}>
          <Select
            value={preferences.language}
            onChange={(event) => void choose({ language: event.target.value as Language })}
          >
            {Object.entries(LANGUAGE_NAMES).map(([language, name]) => (
              <option key={language} value={language} lang={language}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {failure && <Notice kind="error">{t('appearance.not_saved', { reason: failure })}</Notice>}
    </Section>
  );
}
