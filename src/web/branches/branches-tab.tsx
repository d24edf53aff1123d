import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { OwnBranch } from '#contract/branches.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { type BranchDialog, OwnBranchRow } from './branch-row.tsx';
import { isRemoteProject } from './is-remote-project.ts';
import { PushPermissions } from './push-permissions.tsx';

const BranchDialogs = lazyComponent(() =>
  import('./branch-dialogs.tsx').then((module) => module.BranchDialogs),
);

/** The reader's own branches of a project: what they hold, where they went, and how to send them. */
export function BranchesTab({ project }: { project: Project }) {
  const { t } = useTranslation('branches');
  const query = useQuery({
    ...apiQuery('GET /projects/:id/branches', { params: { id: project.id }, query: {} }),
    staleTime: 0,
  });
  return (
    <ListingPage>
      <p className="mb-4 max-w-[68ch] text-muted">{t(isRemoteProject(project) ? 'lead' : 'lead_local')}</p>
      <QueryState
        query={query}
        loading={['62%', '48%', '55%']}
        isEmpty={({ branches }) => branches.length === 0}
        empty={<NoBranches project={project} />}
      >
        {({ branches }) => <BranchList project={project} branches={branches} />}
      </QueryState>
      {project.role === 'owner' && isRemoteProject(project) && <PushPermissions project={project} />}
    </ListingPage>
  );
}

function NoBranches({ project }: { project: Project }) {
  const { t } = useTranslation('branches');
  const action = project.role !== 'viewer' && (
    <ButtonLink to={`/ide/${project.id}`} kind="primary">
      {t('open_editor')}
    </ButtonLink>
  );
  return (
    <EmptyState title={t('none')} action={action}>
      {t(project.role === 'viewer' ? 'none_viewer' : 'none_text')}
    </EmptyState>
  );
}

function BranchList({ project, branches }: { project: Project; branches: OwnBranch[] }) {
  const { t } = useTranslation('branches');
  const [dialog, setDialog] = useRequestedDialog();
  const branch = branches.find(({ name }) => name === dialog?.branch);
  return (
    <>
      <ul aria-label={t('label')} className="border-t border-border">
        {branches.map((each) => (
          <OwnBranchRow
            key={each.name}
            project={project}
            branch={each}
            onOpen={(kind) => setDialog({ kind, branch: each.name })}
          />
        ))}
      </ul>
      {dialog && branch && (
        <Suspense>
          <BranchDialogs
            kind={dialog.kind}
            project={project}
            branch={branch}
            onOpen={(kind) => setDialog({ kind, branch: branch.name })}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </>
  );
}

interface OpenDialog {
  kind: BranchDialog;
  branch: string;
}

/** The open dialog; `?push=<branch>`, `?pull=<branch>` and `?update=<branch>` open one from elsewhere. */
function useRequestedDialog() {
  const [query, setQuery] = useSearchParams();
  const requested = (['push', 'pull', 'update'] as const).find((kind) => query.has(kind));
  const [dialog, setDialog] = useState<OpenDialog | null>(
    requested ? { kind: requested, branch: query.get(requested) ?? '' } : null,
  );
  const change = (next: OpenDialog | null) => {
    setDialog(next);
    if (requested) setQuery({}, { replace: true });
  };
  return [dialog, change] as const;
}
