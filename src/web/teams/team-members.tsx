import { type FormEvent, useState } from 'react';
import type { TeamDetails, TeamMember, TeamRole } from '#contract/teams.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { useTeamChange } from './use-team.ts';

/** Members of a team; its owners add and remove them, and everybody can leave. */
export function TeamMembers({ team }: { team: TeamDetails }) {
  const { t } = useTranslation('teams');
  return (
    <Section title={t('members.title')} lead={t('members.lead')}>
      <ul className="-mt-1.5 border-b border-border">
        {team.members.map((member) => (
          <MemberRow key={member.user_id} team={team} member={member} />
        ))}
      </ul>
      {team.role === 'owner' && <AddMemberForm team={team} />}
    </Section>
  );
}

function MemberRow({ team, member }: { team: TeamDetails; member: TeamMember }) {
  const { t } = useTranslation('teams');
  const params = { id: team.id, user: member.user_id };
  const change = useTeamChange((role: TeamRole) =>
    api('PUT /teams/:id/members/:user', { params, body: { role } }),
  );
  const remove = useTeamChange(() => api('DELETE /teams/:id/members/:user', { params }));
  const isOwner = team.role === 'owner';
  const error = change.error ?? remove.error;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-border py-2 not-first:border-t">
      <Avatar name={member.username} />
      <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <span className="font-semibold">{member.username}</span>
        {member.is_self && <span className="text-muted"> {t('members.you')}</span>}
        <div className="text-sm text-muted">
          {member.source === 'manual' ? member.full_name : t('members.by_source', { source: member.source })}
        </div>
      </div>
      {isOwner ? (
        <Select
          aria-label={t('members.role_of', { name: member.username })}
          value={member.role}
          onChange={(event) => change.mutate(event.target.value as TeamRole)}
          className="w-32"
        >
          <option value="owner">{t('roles.owner')}</option>
          <option value="member">{t('roles.member')}</option>
        </Select>
      ) : (
        <span className="text-muted">{t(`roles.${member.role}`)}</span>
      )}
      {(isOwner || member.is_self) && (
        <Button loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
          {t(member.is_self ? 'members.leave' : 'members.remove')}
          {!member.is_self && <span className="sr-only">: {member.username}</span>}
        </Button>
      )}
      {error && (
        <Notice kind="error" className="basis-full">
          {error.message}
        </Notice>
      )}
    </li>
  );
}

function AddMemberForm({ team }: { team: TeamDetails }) {
  const { t } = useTranslation('teams');
  const [identifier, setIdentifier] = useState('');
  const [role, setRole] = useState<TeamRole>('member');
  const add = useTeamChange(() =>
    api('POST /teams/:id/members', { params: { id: team.id }, body: { identifier, role } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: () => setIdentifier('') });
  };
  const error = add.error ? (add.error.fields.identifier ?? add.error.message) : undefined;
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field label={t('members.identifier')} error={error}>
          <Input
            value={identifier}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => setIdentifier(event.target.value)}
          />
        </Field>
      </div>
      <div className="w-32">
        <Field label={t('members.role')}>
          <Select value={role} onChange={(event) => setRole(event.target.value as TeamRole)}>
            <option value="member">{t('roles.member')}</option>
            <option value="owner">{t('roles.owner')}</option>
          </Select>
        </Field>
      </div>
      <Button
        type="submit"
        kind="primary"
        loading={add.isPending}
        disabled={identifier.trim() === ''}
        className="mt-6"
      >
        {t('members.add')}
      </Button>
    </form>
  );
}
