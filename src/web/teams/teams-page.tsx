import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';

const TEAMS = apiQuery('GET /teams');

/** `/teams`: the teams of the user, and all teams for an administrator. */
export function Component() {
  const { t } = useTranslation('teams');
  const query = useQuery({ ...TEAMS, staleTime: 0 });
  return (
    <div className="max-w-[760px]">
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryState query={query} loading={['48%', '36%', '42%']}>
        {({ teams, may_create }) => (
          <>
            {teams.length === 0 ? (
              <p className="text-muted">{t('none')}</p>
            ) : (
              <ul className="border-t border-border">
                {teams.map((team) => (
                  <li
                    key={team.id}
                    className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-border py-2"
                  >
                    <Link to={`/teams/${team.id}`} className="link min-w-0 flex-1 basis-48 wrap-anywhere">
                      {team.name}
                    </Link>
                    <span className="text-muted">
                      {t('members_count', { count: team.member_count })} ·{' '}
                      {t('projects_count', { count: team.project_count })}
                    </span>
                    <span className="w-24 text-muted">{t(`roles.${team.role}`)}</span>
                  </li>
                ))}
              </ul>
            )}
            {may_create && <CreateTeamForm />}
          </>
        )}
      </QueryState>
    </div>
  );
}

function CreateTeamForm() {
  const { t } = useTranslation('teams');
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useMutation<ApiReply<'POST /teams'>, ApiError>({
    mutationFn: () => api('POST /teams', { body: { name } }),
    onSuccess: async (team) => {
      await client.invalidateQueries({ queryKey: TEAMS.queryKey });
      await navigate(`/teams/${team.id}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const error = create.error ? (create.error.fields.name ?? create.error.message) : undefined;
  return (
    <form noValidate onSubmit={submit} className="mt-6 flex max-w-[480px] items-start gap-3">
      <div className="min-w-0 flex-1">
        <Field label={t('create.name')} error={error}>
          <Input value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
      </div>
      <Button type="submit" kind="primary" loading={create.isPending} className="mt-6">
        {t('create.submit')}
      </Button>
    </form>
  );
}
