import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { AssignableRole, Member } from '#contract/members.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { projectKeys } from '../query-keys.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { useToast } from '../ui/toast.tsx';
import { ProjectTeams } from './project-teams.tsx';
import { useMemberChange, useMembers } from './use-members.ts';

const TransferOwnershipDialog = lazyComponent(() =>
  import('./transfer-ownership.tsx').then((module) => module.TransferOwnershipDialog),
);

/** Members of a project; its owner can add and remove members, change roles and transfer ownership. */
export function MembersSection({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const query = useMembers(project.id);
  return (
    <Section title={t('members.title')} lead={t('members.lead')}>
      <QueryState query={query} loading={['52%', '44%']}>
        {({ members, teams }) => (
          <>
            <MemberList project={project} members={members} />
            <ProjectTeams teams={teams} />
          </>
        )}
      </QueryState>
      {project.role === 'owner' && <AddMemberForm project={project} />}
      {project.role !== 'owner' && <LeaveProjectButton project={project} />}
    </Section>
  );
}

function MemberList({ project, members }: { project: Project; members: Member[] }) {
  const { t } = useTranslation('projects');
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [transferring, setTransferring] = useState(false);
  const isOwner = project.role === 'owner';
  const mayTransfer = members.some((member) => member.is_self && member.direct_role === 'owner');
  return (
    <>
      <ul className="-mt-1.5 border-b border-border">
        {members.map((member) => (
          <li
            key={member.user_id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-border py-2 not-first:border-t"
          >
            <Avatar name={member.username} />
            <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
              <span className="font-semibold">{member.username}</span>
              {member.is_self && <span className="text-muted"> {t('members.you')}</span>}
              <div className="text-sm text-muted">{member.email ?? member.full_name}</div>
              {member.teams.length > 0 && (
                <div className="text-sm text-muted">
                  {t('members.through_teams', { teams: member.teams.join(', ') })}
                </div>
              )}
            </div>
            {isOwner && member.direct_role !== null && member.direct_role !== 'owner' ? (
              <MemberActions project={project} member={member} onFailure={setFailure} />
            ) : (
              <span className="text-muted">{t(`members.roles.${member.role}`)}</span>
            )}
          </li>
        ))}
      </ul>
      {failure && <Notice kind="error">{failure.message}</Notice>}
      {mayTransfer && members.length > 1 && (
        <Button className="self-start" onClick={() => setTransferring(true)}>
          {t('members.transfer.open')}
        </Button>
      )}
      {transferring && (
        <Suspense>
          <TransferOwnershipDialog
            project={project}
            members={members}
            onClose={() => setTransferring(false)}
          />
        </Suspense>
      )}
    </>
  );
}

interface MemberActionsProps {
  project: Project;
  member: Member;
  onFailure: (error: ApiError | null) => void;
}

function MemberActions({ project, member, onFailure }: MemberActionsProps) {
  const { t } = useTranslation('projects');
  const params = { id: project.id, user: member.user_id };
  const change = useMemberChange(project.id, (role: AssignableRole) =>
    api('PUT /projects/:id/members/:user', { params, body: { role } }),
  );
  const remove = useMemberChange(project.id, () => api('DELETE /projects/:id/members/:user', { params }));
  const callbacks = { onError: onFailure, onSuccess: () => onFailure(null) };
  return (
    <div className="flex items-center gap-2">
      <Select
        aria-label={t('members.role_of', { name: member.username })}
        value={member.direct_role ?? member.role}
        onChange={(event) => change.mutate(event.target.value as AssignableRole, callbacks)}
        className="w-32"
      >
        <option value="editor">{t('members.roles.editor')}</option>
        <option value="viewer">{t('members.roles.viewer')}</option>
      </Select>
      <Button
        aria-label={t('members.remove_named', { name: member.username })}
        loading={remove.isPending}
        onClick={() => remove.mutate(undefined, callbacks)}
      >
        {t('members.remove')}
      </Button>
    </div>
  );
}

function AddMemberForm({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const toast = useToast();
  const [identifier, setIdentifier] = useState('');
  const [role, setRole] = useState<AssignableRole>('editor');
  const add = useMemberChange(project.id, (body: { identifier: string; role: AssignableRole }) =>
    api('POST /projects/:id/members', { params: { id: project.id }, body }),
  );
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    add.mutate(
      { identifier, role },
      {
        onSuccess: ({ username }) => {
          setIdentifier('');
          toast(t('members.added', { name: username }));
        },
      },
    );
  };
  const identifierError = add.error && (add.error.fields.identifier ?? add.error.message);
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field
          label={t('members.identifier')}
          error={identifierError ?? undefined}
          hint={t('members.identifier_hint')}
        >
          <Input
            value={identifier}
            onChange={(event) => setIdentifier(event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
      </div>
      <RoleField role={role} onChange={setRole} />
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

/** Select of an assignable role. */
export function RoleField({
  role,
  onChange,
}: {
  role: AssignableRole;
  onChange: (role: AssignableRole) => void;
}) {
  const { t } = useTranslation('projects');
  return (
    <div className="w-32">
      <Field label={t('members.role')}>
        <Select value={role} onChange={(event) => onChange(event.target.value as AssignableRole)}>
          <option value="editor">{t('members.roles.editor')}</option>
          <option value="viewer">{t('members.roles.viewer')}</option>
        </Select>
      </Field>
    </div>
  );
}

function LeaveProjectButton({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const leave = useMemberChange(project.id, () =>
    api('DELETE /projects/:id/membership', { params: { id: project.id } }),
  );
  const onSuccess = async () => {
    await navigate('/projects');
    toast(t('members.left', { name: project.name }));
    await client.invalidateQueries({ queryKey: projectKeys.list });
  };
  return (
    <>
      {leave.error && <Notice kind="error">{leave.error.message}</Notice>}
      <Button
        className="self-start"
        loading={leave.isPending}
        onClick={() => leave.mutate(undefined, { onSuccess: () => void onSuccess() })}
      >
        {t('members.leave')}
      </Button>
    </>
  );
}
