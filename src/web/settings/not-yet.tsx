import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Section } from './section.tsx';

const OFFERS = ['two_factor', 'data_export'] as const;

/** What this version does not offer: the buttons are there, do nothing, and say so. */
export function NotYet() {
  const { t } = useTranslation('settings');
  const id = useId();
  return (
    <Section title={t('not_yet.title')} lead={t('not_yet.lead')}>
      <ul className="flex flex-col gap-4">
        {OFFERS.map((offer) => (
          <li key={offer} className="flex flex-col items-start gap-1">
            <Button disabled aria-describedby={`${id}-${offer}`}>
              {t(`not_yet.${offer}.button`)}
            </Button>
            <p id={`${id}-${offer}`} className="text-sm text-muted">
              {t(`not_yet.${offer}.text`)}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
