import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';

const PROVIDERS = ['GitHub', 'Google'];

/** Other ways to sign in, which this server does not offer; the buttons say so. */
export function SocialButtons() {
  const { t } = useTranslation('auth');
  const id = useId();
  return (
    <div className="mt-6 border-t border-rule pt-4">
      <div className="grid grid-cols-2 gap-2">
        {PROVIDERS.map((provider) => (
          <Button key={provider} disabled aria-describedby={id} title={t('social.not_set_up')}>
            {provider}
          </Button>
        ))}
      </div>
      <p id={id} className="mt-2 text-sm text-muted">
        {t('social.not_set_up')}
      </p>
    </div>
  );
}
