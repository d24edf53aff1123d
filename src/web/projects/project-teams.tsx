import { Link } from 'react-router';
import type { ProjectTeam } from '#contract/members.ts';
import { useTranslation } from '../i18n.ts';

/** Teams with access to a project. */
export function ProjectTeams({ teams }: { teams: ProjectTeam[] }) {
  const { t } = useTranslation('projects');
  if (teams.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1">{t('members.teams')}</h3>
      <ul className="border-y border-border">
        {teams.map(({ team_id, name, role, member_count }) => (
          <li
            key={team_id}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-border py-2 not-first:border-t"
          >
            <Link to={`/teams/${team_id}`} className="link min-w-0 flex-1 basis-40 wrap-anywhere">
              {name}
            </Link>
            <span className="text-muted">{t('members.team_size', { count: member_count })}</span>
            <span className="text-muted">{t(`members.roles.${role}`)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
