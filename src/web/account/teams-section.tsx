import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { Section } from '../ui/section.tsx';

/** Link to the teams of the user. */
export function TeamsSection() {
  const { t } = useTranslation('settings');
  return (
    <Section anchor="teams" title={t('teams.title')} lead={t('teams.lead')}>
      <Link to="/teams" className="link self-start">
        {t('teams.open')}
      </Link>
    </Section>
  );
}
