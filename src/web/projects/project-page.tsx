import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { isBusy } from '../parts/phases.ts';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { PROJECT_TABS } from '../project-tabs.ts';
import { Notice } from '../ui/notice.tsx';
import { CommitList } from './commit-list.tsx';
import { IndexFailureNotice } from './index-failure-notice.tsx';
import { IngestProgress } from './ingest-progress.tsx';
import { ProjectHeader } from './project-header.tsx';

const Tabs = lazy(() => import('../ui/tabs.tsx').then((module) => ({ default: module.Tabs })));

const SettingsTab = lazy(() =>
  import('./settings-tab.tsx').then((module) => ({ default: module.SettingsTab })),
);

/** `/projects/:id`: header, progress and tabs of a project. */
export function Component() {
  const { id = '' } = useParams();
  return <ProjectLoader id={id}>{(project) => <ProjectView key={id} project={project} />}</ProjectLoader>;
}

function ProjectView({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const [tab, setTab] = useState('commits');
  return (
    <>
      <ProjectHeader project={project} />
      <div className="mb-6 flex flex-col gap-4 empty:hidden">
        <DuplicateUrlNotice />
        {project.failure && !isBusy(project) && <IndexFailureNotice project={project} />}
        {isBusy(project) && <IngestProgress project={project} />}
      </div>
      <Suspense>
        <Tabs
          label={project.name}
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'commits', label: t('commits.tab'), content: <CommitList project={project} /> },
            ...PROJECT_TABS.map(({ value, label, Content }) => ({
              value,
              label: t(label),
              content: (
                <Suspense>
                  <Content project={project} />
                </Suspense>
              ),
            })),
            {
              value: 'settings',
              label: t('settings_tab'),
              content: (
                <Suspense>
                  <SettingsTab project={project} />
                </Suspense>
              ),
            },
          ]}
        />
      </Suspense>
    </>
  );
}

/** Notice after adding a project whose URL is already connected. */
function DuplicateUrlNotice() {
  const { t } = useTranslation('projects');
  const state = useLocation().state as { sameAs?: { id: string; name: string } | null } | null;
  if (!state?.sameAs) return null;
  return (
    <Notice>
      {t('add_dialog.duplicate')}{' '}
      <Link to={`/projects/${state.sameAs.id}`} className="link">
        {state.sameAs.name}
      </Link>
    </Notice>
  );
}
