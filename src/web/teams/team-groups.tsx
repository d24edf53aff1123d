import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TeamDetails } from '#contract/teams.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { useTeamChange } from './use-team.ts';

/** Groups of sign-in providers whose members join the team, for administrators. */
export function TeamGroups({ team }: { team: TeamDetails }) {
  const { t } = useTranslation('teams');
  const issuers = useQuery(apiQuery('GET /auth/setup')).data?.issuers ?? [];
  const [chosen, setChosen] = useState('');
  const [group, setGroup] = useState('');
  const provider = chosen || (issuers[0]?.id ?? '');
  const save = useTeamChange((groups: TeamDetails['groups']) =>
    api('PUT /teams/:id/groups', { params: { id: team.id }, body: { groups } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate([...team.groups, { provider, group }], { onSuccess: () => setGroup('') });
  };
  return (
    <Section title={t('groups.title')} lead={t('groups.lead')}>
      {save.error && <Notice kind="error">{save.error.message}</Notice>}
      {team.groups.length === 0 && <p className="text-muted">{t('groups.none')}</p>}
      <ul>
        {team.groups.map((row) => (
          <li key={`${row.provider} ${row.group}`} className="flex flex-wrap items-center gap-3 py-1">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {issuers.find(({ id }) => id === row.provider)?.name ?? row.provider}:{' '}
              <span className="font-mono text-code">{row.group}</span>
            </span>
            <Button
              size="small"
              loading={save.isPending}
              onClick={() => save.mutate(team.groups.filter((other) => other !== row))}
            >
              {t('groups.remove')}
              <span className="sr-only">: {row.group}</span>
            </Button>
          </li>
        ))}
      </ul>
      {issuers.length > 0 && (
        <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
          <div className="w-40">
            <Field label={t('groups.provider')}>
              <Select value={provider} onChange={(event) => setChosen(event.target.value)}>
                {issuers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <div className="min-w-0 flex-1 basis-48">
            <Field label={t('groups.group')}>
              <Input
                value={group}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setGroup(event.target.value)}
              />
            </Field>
          </div>
          <Button type="submit" loading={save.isPending} disabled={group.trim() === ''} className="mt-6">
            {t('groups.add')}
          </Button>
        </form>
      )}
    </Section>
  );
}
