import { Suspense } from 'react';
import type { Project } from '#contract/projects.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { RunningSettings } from '../proof-slots.ts';
import { ReadingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { CredentialSection } from './credential-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { IndexSettings } from './index-settings.tsx';
import { IngestLog } from './ingest-log.tsx';
import { InstructionsSection } from './instructions-section.tsx';
import { InvitationsSection } from './invitations.tsx';
import { MembersSection } from './members.tsx';
import { ExcludedPaths, PathMappings } from './path-settings.tsx';
import { useProjectSettings } from './use-project-settings.ts';
import { WebhookSection } from './webhook-section.tsx';

const IntakeSection = lazyComponent(() =>
  import('./intake/intake-section.tsx').then((module) => module.IntakeSection),
);

const IssuesSection = lazyComponent(() =>
  import('./issues-section.tsx').then((module) => module.IssuesSection),
);

const EgressSection = lazyComponent(() =>
  import('./egress-section.tsx').then((module) => module.EgressSection),
);

const OutgoingWebhooks = lazyComponent(() =>
  import('./outgoing-webhooks.tsx').then((module) => module.OutgoingWebhooks),
);

const OwnModelSection = lazyComponent(
  () => import('../parts/own-model-section.tsx').then((module) => module.OwnModelSection),
  { early: true },
);

/** Settings of a project. */
export function SettingsTab({ project }: { project: Project }) {
  const isOwner = project.role === 'owner';
  return (
    <ReadingPage className="-mt-4 *:first:border-t-0">
      {isOwner && <GeneralSection project={project} />}
      {isOwner && <OwnerSettings project={project} />}
      <MembersSection project={project} />
      {isOwner && <InvitationsSection project={project} />}
      {isOwner && <CredentialSection project={project} />}
      <Suspense>{isOwner && <OwnModelSection projectId={project.id} />}</Suspense>
      <Suspense>{project.role !== 'viewer' && <IntakeSection project={project} />}</Suspense>
      <Suspense>
        <IssuesSection project={project} />
      </Suspense>
      {isOwner && <WebhookSection project={project} />}
      <Suspense>{isOwner && <OutgoingWebhooks project={project} />}</Suspense>
      <IngestLog project={project} />
      <Suspense>
        <EgressSection project={project} />
      </Suspense>
    </ReadingPage>
  );
}

function OwnerSettings({ project }: { project: Project }) {
  const query = useProjectSettings(project);
  return (
    <QueryState query={query} loading={['52%', '64%', '40%', '58%']} errorClassName="my-5">
      {(settings) => (
        <>
          <IndexSettings project={project} settings={settings} />
          <ExcludedPaths project={project} settings={settings} />
          <PathMappings project={project} settings={settings} />
          <InstructionsSection project={project} settings={settings} />
          <Suspense>
            <RunningSettings project={project} settings={settings} />
          </Suspense>
        </>
      )}
    </QueryState>
  );
}
