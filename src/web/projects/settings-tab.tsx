import type { Project } from '#contract/projects.ts';
import { ChangeSection } from './change-section.tsx';
import { CredentialSection } from './credential.tsx';
import { EgressSection } from './egress-section.tsx';
import { HookSection } from './hook-section.tsx';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';

/** What can be set about a project: its name and address, who is in it, who may come, and what opens its repository. */
export function SettingsTab({ project }: { project: Project }) {
  const isOwner = project.role === 'owner';
  return (
    <div className="-mt-4 max-w-[760px] *:first:border-t-0">
      {isOwner && <ChangeSection project={project} />}
      <Members project={project} />
      {isOwner && <Invitations project={project} />}
      {isOwner && <CredentialSection project={project} />}
      {isOwner && <HookSection project={project} />}
      <EgressSection project={project} />
    </div>
  );
}
