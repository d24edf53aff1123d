import type { Project } from '#contract/projects.ts';
import { CredentialSection } from './credential-section.tsx';
import { EgressSection } from './egress-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { InvitationsSection } from './invitations.tsx';
import { MembersSection } from './members.tsx';
import { WebhookSection } from './webhook-section.tsx';

/** Settings of a project. */
export function SettingsTab({ project }: { project: Project }) {
  const isOwner = project.role === 'owner';
  return (
    <div className="-mt-4 max-w-[760px] *:first:border-t-0">
      {isOwner && <GeneralSection project={project} />}
      <MembersSection project={project} />
      {isOwner && <InvitationsSection project={project} />}
      {isOwner && <CredentialSection project={project} />}
      {isOwner && <WebhookSection project={project} />}
      <EgressSection project={project} />
    </div>
  );
}
