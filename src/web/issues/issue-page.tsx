import { useParams, useSearchParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { hostIssueUrl } from '../parts/code-host.ts';
import { HostLink } from '../parts/host-link.tsx';
import { IssueView } from '../parts/issue-view.tsx';
import { ProjectBreadcrumbs } from '../parts/project-breadcrumbs.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { ReadingPage } from '../ui/page-width.tsx';

/** `/projects/:id/issues/:number`; `?kind=pull_request` where an issue has the same number. */
export function Component() {
  const { id = '', number = '' } = useParams();
  return (
    <ProjectLoader id={id}>
      {(project) => <IssuePage project={project} number={Number(number)} />}
    </ProjectLoader>
  );
}

function IssuePage({ project, number }: { project: Project; number: number }) {
  const [search] = useSearchParams();
  const isRequest = search.get('kind') === 'pull_request';
  const kind = isRequest ? 'pull_request' : 'issue';
  return (
    <ReadingPage>
      <PageTitle>{`#${number}`}</PageTitle>
      <ProjectBreadcrumbs project={project}>
        <span>#{number}</span>
      </ProjectBreadcrumbs>
      <div className="-mx-4">
        <IssueView projectId={project.id} number={number} isRequest={isRequest} heading="h1" />
      </div>
      <HostLink gitUrl={project.git_url} url={hostIssueUrl(project.git_url, { kind, number })} />
    </ReadingPage>
  );
}
