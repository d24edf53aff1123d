import { Suspense } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { isBusy } from '../parts/phases.ts';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { ChatTabContent, PROJECT_TABS } from '../project-tabs.ts';
import { Notice } from '../ui/notice.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { IndexFailureNotice } from './index-failure-notice.tsx';
import { IngestProgress } from './ingest-progress.tsx';
import { ProjectHeader } from './project-header.tsx';
import { ProjectTabList, useProjectTab } from './project-tab-list.tsx';

const CommitList = lazyComponent(() => import('./commit-list.tsx').then((module) => module.CommitList));
const Overview = lazyComponent(() => import('./overview.tsx').then((module) => module.Overview));
const PartialIndexNotice = lazyComponent(() =>
  import('./partial-index-notice.tsx').then((module) => module.PartialIndexNotice),
);
const SettingsTab = lazyComponent(() => import('./settings-tab.tsx').then((module) => module.SettingsTab));

/** `/projects/:id` and its tabs: header, progress and the tab of the address, as wide as a list with its side column. */
export function Component() {
  const { id = '' } = useParams();
  return <ProjectLoader id={id}>{(project) => <ProjectView key={id} project={project} />}</ProjectLoader>;
}

function ProjectView({ project }: { project: Project }) {
  return (
    <div className="max-w-368">
      <ProjectHeader project={project} />
      <div className="mb-6 flex flex-col gap-4 empty:hidden">
        <DuplicateUrlNotice />
        {project.failure && !isBusy(project) && <IndexFailureNotice project={project} />}
        {isBusy(project) && project.partial_index && (
          <Suspense fallback={null}>
            <PartialIndexNotice project={project} />
          </Suspense>
        )}
        {isBusy(project) && <IngestProgress project={project} />}
      </div>
      <ProjectTabList project={project} />
      <div className="pt-4">
        <Suspense fallback={<Skeleton rows={['44%', '62%', '52%', '58%']} />}>
          <TabContent project={project} />
        </Suspense>
      </div>
    </div>
  );
}

function TabContent({ project }: { project: Project }) {
  const tab = useProjectTab();
  if (tab === 'commits') {
    return (
      <ListingPage>
        <CommitList project={project} />
      </ListingPage>
    );
  }
  if (tab === 'chat') return <ChatTabContent project={project} />;
  if (tab === 'settings') return <SettingsTab project={project} />;
  const Content = PROJECT_TABS.find(({ value }) => value === tab)?.Content;
  return Content ? <Content project={project} /> : <Overview project={project} />;
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
