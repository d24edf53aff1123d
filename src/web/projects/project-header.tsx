import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ExternalLink, RefreshCw, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { type Age, ageOfYear } from '../parts/age.ts';
import { AgeCore } from '../parts/age-core.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { isBusy } from '../parts/phases.ts';
import { useNow } from '../parts/use-now.ts';
import { useRefreshProject } from '../parts/use-project.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, buttonClass, IconButton } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { CoverageLine } from './coverage.tsx';
import { isHttpUrl } from './http-url.ts';
import { PhaseBar } from './ingest-progress.tsx';
import { ProjectState } from './project-state.tsx';
import { useProjectOverview } from './use-project-overview.ts';

const DeleteProjectDialog = lazyComponent(() =>
  import('./delete-project.tsx').then((module) => module.DeleteProjectDialog),
);

/** Header of a project: name, URL, index status and actions. */
export function ProjectHeader({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  return (
    <header className="mb-6 flex gap-4">
      <PageTitle>{project.name}</PageTitle>
      {isBusy(project) ? <PhaseBar project={project} /> : <CodeAgeCore project={project} />}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-72">
            <h1 className="flex items-start gap-1 wrap-anywhere">
              <Link
                to="/projects"
                aria-label={t('back')}
                title={t('back')}
                className="-ml-2 inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
              >
                <ArrowLeft aria-hidden className="size-4" />
              </Link>
              {project.name}
            </h1>
            <p className="font-mono text-sm break-all text-muted">
              <Verbatim text={project.git_url} />
            </p>
          </div>
          <HeaderActions project={project} />
        </div>
        {project.description && <p className="mt-2 max-w-[68ch]">{project.description}</p>}
        <StatusLine project={project} />
      </div>
    </header>
  );
}

/** Age of the code as far as it is measured; asking for it starts the measurement. */
function CodeAgeCore({ project }: { project: Project }) {
  const { data } = useProjectOverview(project);
  const survey = useQuery({
    ...apiQuery('GET /projects/:id/evolution/age', { params: { id: project.id }, query: {} }),
    enabled: data?.code_age.length === 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const now = useNow();
  const amounts: Partial<Record<Age, number>> = {};
  for (const { year, lines } of data?.code_age.length ? data.code_age : (survey.data?.years ?? [])) {
    const age = ageOfYear(year, now);
    amounts[age] = (amounts[age] ?? 0) + lines;
  }
  return <AgeCore amounts={amounts} label={project.name} />;
}

function StatusLine({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-muted">
      <ProjectState project={project} counts={false} />
      {project.branch && <span className="font-mono text-sm">{project.branch}</span>}
      {project.indexed_commit && (
        <span className="inline-flex items-center gap-1.5">
          {t('indexed_at')}
          <CitationChip projectId={project.id} citation={{ kind: 'commit', hash: project.indexed_commit }} />
          {project.indexed_at && <RelativeTime at={project.indexed_at} />}
        </span>
      )}
      {project.coverage && <CoverageLine project={project} coverage={project.coverage} />}
    </div>
  );
}

function HeaderActions({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const refresh = useRefreshProject(project.id);
  const [deleting, setDeleting] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {refresh.error && (
        <span role="alert" className="max-w-80 text-sm">
          {refresh.error.message}
        </span>
      )}
      {isHttpUrl(project.git_url) && (
        <a
          href={project.git_url}
          target="_blank"
          rel="noreferrer noopener"
          className={buttonClass('plain')}
          title={t('open_repository')}
        >
          <ExternalLink aria-hidden className="size-4" />
          {t('repository')}
        </a>
      )}
      {project.role !== 'viewer' && (
        <Button loading={isBusy(project) || refresh.isPending} onClick={() => refresh.mutate()}>
          {!isBusy(project) && !refresh.isPending && <RefreshCw aria-hidden className="size-4" />}
          {t('refresh')}
        </Button>
      )}
      {project.role === 'owner' && (
        <IconButton
          label={t('delete.open')}
          icon={<Trash2 aria-hidden className="size-4" />}
          onClick={() => setDeleting(true)}
        />
      )}
      {deleting && (
        <Suspense>
          <DeleteProjectDialog project={project} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </div>
  );
}
