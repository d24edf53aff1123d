import { useState } from 'react';
import type { AssignableRole, Invitation } from '#contract/members.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { RoleField } from './members.tsx';
import { useMemberChange, useMembers } from './use-members.ts';

/** Invitation links, for people without an account. */
export function InvitationsSection({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const { data } = useMembers(project.id);
  const [link, setLink] = useState<string | null>(null);
  return (
    <Section title={t('invitations.title')} lead={t('invitations.lead')}>
      {data && data.invitations.length > 0 && (
        <ul className="-mt-1.5 border-b border-border">
          {data.invitations.map((invitation) => (
            <InvitationRow key={invitation.id} project={project} invitation={invitation} />
          ))}
        </ul>
      )}
      <InviteByLinkForm project={project} onCreated={setLink} />
      {link && (
        <Notice action={<CopyButton text={link} label={t('invitations.copy')} />}>
          <p>{t('invitations.created')}</p>
          <p className="mt-1 font-mono text-sm break-all">{link}</p>
        </Notice>
      )}
    </Section>
  );
}

function InvitationRow({ project, invitation }: { project: Project; invitation: Invitation }) {
  const { t, i18n } = useTranslation('projects');
  const params = { id: project.id, invitation: invitation.id };
  const revoke = useMemberChange(project.id, () =>
    api('DELETE /projects/:id/invitations/:invitation', { params }),
  );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-border py-2 not-first:border-t">
      <div className="min-w-0 flex-1 basis-48">
        <span className="wrap-anywhere">{invitation.email ?? t('invitations.anyone')}</span>
        <div className="text-sm text-muted">
          {t('invitations.until', {
            role: t(`members.roles.${invitation.role}`),
            date: formatLongDate(invitation.expires_at, i18n.language),
          })}
        </div>
        {revoke.error && <p className="text-sm">{revoke.error.message}</p>}
      </div>
      <Button loading={revoke.isPending} onClick={() => revoke.mutate(undefined)}>
        {t('invitations.revoke')}
      </Button>
    </li>
  );
}

function InviteByLinkForm({ project, onCreated }: { project: Project; onCreated: (link: string) => void }) {
  const { t } = useTranslation('projects');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<AssignableRole>('viewer');
  const invite = useMemberChange(project.id, () =>
    api('POST /projects/:id/invitations', {
      params: { id: project.id },
      body: { role, email: email.trim() || null },
    }),
  );
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    invite.mutate(undefined, {
      onSuccess: ({ link }) => {
        setEmail('');
        // The origin of this page is reachable for the user, unlike possibly the configured one.
        onCreated(location.origin + new URL(link).pathname + new URL(link).hash);
      },
    });
  };
  const emailError = invite.error && (invite.error.fields.email ?? invite.error.message);
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field
          label={t('invitations.email')}
          error={emailError ?? undefined}
          hint={t('invitations.email_hint')}
        >
          <Input
            type="email"
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
      </div>
      <RoleField role={role} onChange={setRole} />
      <Button type="submit" loading={invite.isPending} className="mt-6">
        {t('invitations.create')}
      </Button>
    </form>
  );
}
