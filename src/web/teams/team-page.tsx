import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { TeamDetails } from '#contract/teams.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { useCurrentUser } from '../user.ts';
import { TeamGroups } from './team-groups.tsx';
import { TeamMembers } from './team-members.tsx';
import { TeamProjects } from './team-projects.tsx';
import { useTeam, useTeamChange } from './use-team.ts';

/** `/teams/:id`: members, projects and groups of a team. */
export function Component() {
  const { t } = useTranslation('teams');
  const { id = '' } = useParams();
  return (
    <div className="max-w-[760px]">
      <QueryState query={useTeam(id)} title={t('title')}>
        {(team) => <TeamSections key={team.id} team={team} />}
      </QueryState>
    </div>
  );
}

function TeamSections({ team }: { team: TeamDetails }) {
  const { t } = useTranslation('teams');
  const isAdmin = useCurrentUser().data?.role === 'admin';
  const breadcrumbs = (
    <Link to="/teams" className="link">
      {t('title')}
    </Link>
  );
  return (
    <>
      <PageHeader title={team.name} breadcrumbs={breadcrumbs} />
      <TeamMembers team={team} />
      <TeamProjects team={team} />
      {isAdmin && <TeamGroups team={team} />}
      {team.role === 'owner' && <TeamSettings team={team} />}
    </>
  );
}

function TeamSettings({ team }: { team: TeamDetails }) {
  const { t } = useTranslation('teams');
  const navigate = useNavigate();
  const [name, setName] = useState(team.name);
  const [confirming, setConfirming] = useState(false);
  const params = { id: team.id };
  const rename = useTeamChange(() => api('PATCH /teams/:id', { params, body: { name } }));
  const remove = useTeamChange(() => api('DELETE /teams/:id', { params }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(undefined);
  };
  const onDeleted = () => void navigate('/teams', { replace: true });
  return (
    <Section title={t('settings.title')}>
      <form noValidate onSubmit={submit} className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Field
            label={t('settings.name')}
            error={rename.error ? (rename.error.fields.name ?? rename.error.message) : undefined}
          >
            <Input value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
        </div>
        <Button type="submit" loading={rename.isPending} className="mt-6">
          {t('settings.rename')}
        </Button>
      </form>
      {remove.error && <Notice kind="error">{remove.error.message}</Notice>}
      {confirming ? (
        <div className="flex flex-wrap items-center gap-2">
          <p className="basis-full">{t('settings.delete_text')}</p>
          <Button
            kind="danger"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: onDeleted })}
          >
            {t('settings.delete')}
          </Button>
          <Button onClick={() => setConfirming(false)}>{t('cancel')}</Button>
        </div>
      ) : (
        <Button className="self-start" onClick={() => setConfirming(true)}>
          {t('settings.delete')}
        </Button>
      )}
    </Section>
  );
}
