import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { getTheme, type Theme } from '../theme.ts';
import { useCurrentUser, useUpdatePreferences } from '../user.ts';

const OPTIONS = [
  { theme: 'light', icon: Sun },
  { theme: 'dark', icon: Moon },
  { theme: 'system', icon: Monitor },
] as const;

/** Theme switch, applied immediately and saved with the account. */
export function ThemeSwitch() {
  const { t } = useTranslation('shell');
  const change = useUpdatePreferences();
  const saved = useCurrentUser().data?.preferences.theme;
  const [chosen, setChosen] = useState<Theme>(getTheme);
  const [failure, setFailure] = useState<string | null>(null);

  const choose = async (theme: Theme) => {
    setChosen(theme);
    setFailure(null);
    await change({ theme }).catch((error: Error) => setFailure(error.message));
  };

  return (
    <fieldset className="px-2">
      <legend className="sr-only">{t('theme.legend')}</legend>
      <div className="flex w-fit rounded-md border border-border">
        {OPTIONS.map(({ theme, icon: Icon }) => (
          <label
            key={theme}
            title={t(`theme.${theme}`)}
            className="relative flex h-7 w-9 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:text-foreground has-checked:bg-select has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-action"
          >
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={(saved ?? chosen) === theme}
              onChange={() => void choose(theme)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <Icon aria-hidden="true" className="size-4" />
            <span className="sr-only">{t(`theme.${theme}`)}</span>
          </label>
        ))}
      </div>
      {failure && (
        <p role="alert" className="mt-1 text-sm">
          {t('theme.not_saved', { reason: failure })}
        </p>
      )}
    </fieldset>
  );
}
