import { clsx } from 'clsx';
import { useTranslation } from '../i18n.ts';
import { useMinPasswordLength } from './password-minimum.ts';
import { type PasswordStrength, passwordStrength } from './password-strength.ts';

const STEPS: PasswordStrength[] = ['weak', 'fair', 'strong'];

/** Password strength as bars and a label. */
export function PasswordStrengthHint({ password }: { password: string }) {
  const { t } = useTranslation('parts');
  const min = useMinPasswordLength();
  if (password === '') return t('strength.empty', { min });
  const strength = passwordStrength(password, min);
  const reached = STEPS.indexOf(strength);
  return (
    <span className="flex items-center gap-2" aria-live="polite">
      <span aria-hidden="true" className="flex gap-0.5">
        {STEPS.map((step, index) => (
          <span key={step} className={clsx('h-1.5 w-6', index <= reached ? 'bg-age-1' : 'bg-border')} />
        ))}
      </span>
      {t(`strength.${strength}`, { min })}
    </span>
  );
}
