import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { GivenRole, Member } from '#contract/members.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { read } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Initial } from '../ui/initial.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useToast } from '../ui/toast.tsx';
import { useMemberChange, useMembers } from './use-members.ts';

const HandOver = lazy(() => import('./hand-over.tsx').then((module) => ({ default: module.HandOver })));

/** Who is in the project. Its owner lets others in, changes what they may, takes them out and hands it over. */
export function Members({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const { data, error, refetch } = useMembers(project.id);
  return (
    <Section title={t('members.title')} lead={t('members.lead')}>
      {data && <MemberList project={project} members={data.members} />}
      {!data && error && (
        <Notice kind="error" onRetry={() => refetch()}>
          {error.message}
        </Notice>
      )}
      {!data && !error && <Skeleton rows={['52%', '44%']} />}
      {project.role === 'owner' && <AddMember project={project} />}
      {project.role !== 'owner' && <Leave project={project} />}
    </Section>
  );
}

function MemberList({ project, members }: { project: Project; members: Member[] }) {
  const { t } = useTranslation('projects');
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [handing, setHanding] = useState(false);
  const isOwner = project.role === 'owner';
  return (
    <>
      <ul className="-mt-1.5 border-b border-rule">
        {members.map((member) => (
          <li
            key={member.user_id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-rule py-2 not-first:border-t"
          >
            <Initial name={member.username} />
            <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
              <span className="font-semibold">{member.username}</span>
              {member.you && <span className="text-muted"> {t('members.you')}</span>}
              <div className="text-sm text-muted">{member.email ?? member.full_name}</div>
            </div>
            {isOwner && member.role !== 'owner' ? (
              <Change project={project} member={member} onFailure={setFailure} />
            ) : (
              <span className="text-muted">{t(`members.roles.${member.role}`)}</span>
            )}
          </li>
        ))}
      </ul>
      {failure && <Notice kind="error">{failure.message}</Notice>}
      {isOwner && members.length > 1 && (
        <Button className="self-start" onClick={() => setHanding(true)}>
          {t('members.hand_over.open')}
        </Button>
      )}
      {handing && (
        <Suspense>
          <HandOver project={project} members={members} onClose={() => setHanding(false)} />
        </Suspense>
      )}
    </>
  );
}

interface ChangeProps {
  project: Project;
  member: Member;
  onFailure: (error: ApiError | null) => void;
}

function Change({ project, member, onFailure }: ChangeProps) {
  const { t } = useTranslation('projects');
  const params = { id: project.id, user: member.user_id };
  const change = useMemberChange(project.id, (role: GivenRole) =>
    api('PUT /projects/:id/members/:user', { params, body: { role } }),
  );
  const remove = useMemberChange(project.id, () => api('DELETE /projects/:id/members/:user', { params }));
  const told = { onError: onFailure, onSuccess: () => onFailure(null) };
  return (
    <div className="flex items-center gap-2">
      <Select
        aria-label={t('members.role_of', { name: member.username })}
        value={member.role}
        onChange={(event) => change.mutate(event.target.value as GivenRole, told)}
        className="w-32"
      >
        <option value="editor">{t('members.roles.editor')}</option>
        <option value="viewer">{t('members.roles.viewer')}</option>
      </Select>
      <Button
        aria-label={t('members.remove_named', { name: member.username })}
        loading={remove.isPending}
        onClick={() => remove.mutate(undefined, told)}
      >
        {t('members.remove')}
      </Button>
    </div>
  );
}

function AddMember({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const toast = useToast();
  const [who, setWho] = useState('');
  const [role, setRole] = useState<GivenRole>('editor');
  const add = useMemberChange(project.id, (body: { who: string; role: GivenRole }) =>
    api('POST /projects/:id/members', { params: { id: project.id }, body }),
  );
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    add.mutate(
      { who, role },
      {
        onSuccess: ({ username }) => {
          setWho('');
          toast(t('members.added', { name: username }));
        },
      },
    );
  };
  const wrong = add.error && (add.error.fields.who ?? add.error.message);
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field label={t('members.who')} error={wrong ?? undefined} hint={t('members.who_hint')}>
          <Input
            value={who}
            onChange={(event) => setWho(event.target.value)}
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
        disabled={who.trim() === ''}
        className="mt-6"
      >
        {t('members.add')}
      </Button>
    </form>
  );
}

/** What somebody is to be allowed. */
export function RoleField({ role, onChange }: { role: GivenRole; onChange: (role: GivenRole) => void }) {
  const { t } = useTranslation('projects');
  return (
    <div className="w-32">
      <Field label={t('members.role')}>
        <Select value={role} onChange={(event) => onChange(event.target.value as GivenRole)}>
          <option value="editor">{t('members.roles.editor')}</option>
          <option value="viewer">{t('members.roles.viewer')}</option>
        </Select>
      </Field>
    </div>
  );
}

function Leave({ project }: { project: Project }) {
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
    await client.invalidateQueries({ queryKey: read('GET /projects').queryKey });
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
