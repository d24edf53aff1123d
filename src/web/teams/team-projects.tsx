import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { TeamDetails, TeamProjectRole } from '#contract/teams.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { useTeamChange } from './use-team.ts';

const ROLES: TeamProjectRole[] = ['viewer', 'editor', 'owner'];

/** Projects that a team may reach; owners of a project add it. */
export function TeamProjects({ team }: { team: TeamDetails }) {
  const { t } = useTranslation('teams');
  const owned = (useQuery(apiQuery('GET /projects')).data ?? []).filter(({ role }) => role === 'owner');
  const addable = owned.filter(({ id }) => !team.projects.some(({ project_id }) => project_id === id));
  const remove = useTeamChange((project: string) =>
    api('DELETE /teams/:id/projects/:project', { params: { id: team.id, project } }),
  );
  const mayRemove = (id: string) => team.role === 'owner' || owned.some((project) => project.id === id);
  return (
    <Section title={t('projects.title')} lead={t('projects.lead')}>
      {remove.error && <Notice kind="error">{remove.error.message}</Notice>}
      {team.projects.length === 0 ? (
        <p className="text-muted">{t('projects.none')}</p>
      ) : (
        <ul className="-mt-1.5 border-b border-border">
          {team.projects.map(({ project_id, name, role }) => (
            <li
              key={project_id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-border py-2 not-first:border-t"
            >
              <Link to={`/projects/${project_id}`} className="link min-w-0 flex-1 basis-40 wrap-anywhere">
                {name}
              </Link>
              <span className="text-muted">{t(`project_roles.${role}`)}</span>
              {mayRemove(project_id) && (
                <Button
                  size="small"
                  loading={remove.isPending && remove.variables === project_id}
                  onClick={() => remove.mutate(project_id)}
                >
                  {t('projects.remove')}
                  <span className="sr-only">: {name}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {addable.length > 0 && <AddProjectForm team={team} projects={addable} />}
    </Section>
  );
}

function AddProjectForm({ team, projects }: { team: TeamDetails; projects: { id: string; name: string }[] }) {
  const { t } = useTranslation('teams');
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<TeamProjectRole>('viewer');
  const project = projects.some(({ id }) => id === chosen) ? chosen : projects[0]!.id;
  const add = useTeamChange(() =>
    api('PUT /teams/:id/projects/:project', { params: { id: team.id, project }, body: { role } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field label={t('projects.project')} error={add.error?.message}>
          <Select value={project} onChange={(event) => setChosen(event.target.value)}>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="w-32">
        <Field label={t('projects.role')}>
          <Select value={role} onChange={(event) => setRole(event.target.value as TeamProjectRole)}>
            {ROLES.map((value) => (
              <option key={value} value={value}>
                {t(`project_roles.${value}`)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Button type="submit" loading={add.isPending} className="mt-6">
        {t('projects.add')}
      </Button>
    </form>
  );
}
