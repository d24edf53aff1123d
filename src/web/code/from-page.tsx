import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useLocation } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { useProjects } from '../parts/use-project.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { compareUrl, folderUrl } from './code-urls.ts';
import { type HostPlace, parseHostUrl, repositoryOf, splitRevision } from './host-url.ts';

/** `/from/https://github.com/…`: opens the same place in the project of that repository. */
export function Component() {
  const { t } = useTranslation('code');
  const { pathname, hash } = useLocation();
  const text = pathname.slice('/from/'.length) + hash;
  const place = parseHostUrl(text);
  const projects = useProjects();
  const matching = (all: Project[]) => all.find(({ git_url }) => repositoryOf(git_url) === place?.repository);
  return (
    <>
      <PageHeader title={t('from.title')} />
      {place === null ? (
        <EmptyState title={t('from.unknown')}>{t('from.unknown_text')}</EmptyState>
      ) : (
        <QueryState query={projects}>
          {(all) => {
            const project = matching(all);
            return project ? (
              <Redirect project={project} place={place} />
            ) : (
              <EmptyState
                title={t('from.missing', { repository: place.repository })}
                action={
                  <Link to="/projects" className="link">
                    {t('from.projects')}
                  </Link>
                }
              >
                {t('from.missing_text')}
              </EmptyState>
            );
          }}
        </QueryState>
      )}
    </>
  );
}

function Redirect({ project, place }: { project: Project; place: HostPlace }) {
  if (place.kind === 'file') return <FileRedirect project={project} place={place} />;
  const { id } = project;
  if (place.kind === 'commit') return <Navigate replace to={commitUrl(id, place.commit)} />;
  if (place.kind === 'compare') return <Navigate replace to={compareUrl(id, place.base, place.head)} />;
  return <Navigate replace to={place.kind === 'commits' ? `/projects/${id}/commits` : `/projects/${id}`} />;
}

interface FileRedirectProps {
  project: Project;
  place: Extract<HostPlace, { kind: 'file' }>;
}

/** Needs the branches of the project to tell where the name of a branch ends. */
function FileRedirect({ project, place }: FileRedirectProps) {
  const query = useQuery(apiQuery('GET /projects/:id/refs', { params: { id: project.id } }));
  return (
    <QueryState query={query}>
      {({ refs }) => {
        const { revision, path } = splitRevision(
          place.rest,
          refs.map(({ name }) => name),
        );
        const ref = revision === project.branch || revision === 'HEAD' ? null : revision;
        if (path === '') return <Navigate replace to={folderUrl(project.id, '', ref)} />;
        const url = fileUrl(project.id, path, { commit: ref });
        const view = place.view ? `${ref ? '&' : '?'}view=${place.view}` : '';
        return <Navigate replace to={url + view + place.lines} />;
      }}
    </QueryState>
  );
}
