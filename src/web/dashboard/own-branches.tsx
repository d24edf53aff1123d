import { Link } from 'react-router';
import type { Home } from '#contract/dashboard.ts';
import { useTranslation } from '../i18n.ts';
import { StateMark } from '../ui/state-mark.tsx';
import { HomeSection } from './home-section.tsx';

/** The reader's branches with commits of their own; nothing when there are none. */
export function OwnBranches({ branches }: { branches: Home['branches'] }) {
  const { t } = useTranslation('home');
  if (branches.length === 0) return null;
  return (
    <HomeSection title={t('branches.title')}>
      <ul>
        {branches.map(({ project_id: id, project_name: project, name, ahead, is_pushed: isPushed }) => (
          <li key={`${id}${name}`} className="border-b border-border">
            <Link to={`/projects/${id}/branches`} className="row min-h-12 py-1.5">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-mono text-code">{name}</span>
                <span className="flex flex-wrap gap-x-3 text-sm text-muted">
                  <span>{project}</span>
                  {ahead !== null && <span>{t('branches.ahead', { count: ahead })}</span>}
                </span>
              </span>
              <StateMark state={isPushed ? 'pushed' : 'draft'}>
                {t(isPushed ? 'branches.pushed' : 'branches.not_pushed')}
              </StateMark>
            </Link>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
