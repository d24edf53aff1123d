import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { ApiError } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { fileUrl, parseLineFragment } from '../parts/citation.ts';
import type { LineRange } from '../parts/code-view.tsx';
import { ProjectBreadcrumbs } from '../parts/project-breadcrumbs.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { RevisionPicker } from '../parts/revision-picker.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { CodePane } from './code-pane.tsx';
import { FileAside } from './file-aside.tsx';
import { FileToolbar, type FileViewName } from './file-toolbar.tsx';
import { FolderView } from './folder-view.tsx';
import { ImageView } from './image-view.tsx';
import { MissingFile } from './missing-file.tsx';
import { NotFoundState } from './not-found-state.tsx';
import { PathTrail } from './path-trail.tsx';
import { isImagePath, textQuery } from './text-query.ts';
import { useStoredSwitch } from './use-stored-switch.ts';

const HistoryView = lazyComponent(() => import('./history-view.tsx').then((module) => module.HistoryView));

/** `/projects/:id/files/*`: a folder, or a file with blame and history; `?symbol=` finds a name, `#L10-L20` selects lines. */
export function Component() {
  const { id = '', '*': splat = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const path = splat.replace(/\/+$/, '');
  const revision = query.get('ref');
  return (
    <ProjectLoader id={id}>
      {(project) => (
        <article>
          <PageTitle>{path.slice(path.lastIndexOf('/') + 1) || project.name}</PageTitle>
          <ProjectBreadcrumbs project={project}>
            <RevisionPicker
              project={project}
              value={revision}
              onChange={(next) => setQuery((now) => withRevision(now, next))}
            />
          </ProjectBreadcrumbs>
          <h1 className="mb-3 font-mono text-answer font-medium break-all">
            <PathTrail projectId={id} root={project.name} path={path} revision={revision} />
          </h1>
          {path === '' || splat.endsWith('/') ? (
            <FolderView projectId={id} path={path} revision={revision} />
          ) : (
            <FileOrFolder key={`${path}\0${revision}`} project={project} path={path} revision={revision} />
          )}
        </article>
      )}
    </ProjectLoader>
  );
}

function withRevision(query: URLSearchParams, revision: string | null): URLSearchParams {
  if (revision === null) query.delete('ref');
  else query.set('ref', revision);
  return query;
}

interface FileProps {
  project: Project;
  path: string;
  /** Commit or branch; null for the indexed commit. */
  revision: string | null;
}

function FileOrFolder(props: FileProps) {
  const { project, path, revision } = props;
  const { t } = useTranslation('code');
  const [search] = useSearchParams();
  const isImage = isImagePath(path);
  const query = useQuery({
    ...textQuery(project.id, path, revision),
    enabled: !isImage,
    staleTime: 60_000,
  });
  const { error } = query;
  if (isImage) return <ImageView projectId={project.id} path={path} revision={revision} />;
  if (error instanceof ApiError && error.reason === 'is_folder')
    return <FolderView projectId={project.id} path={path} revision={revision} />;
  // A file that was deleted or renamed still has a history.
  if (error && search.get('view') === 'history')
    return (
      <Suspense>
        <HistoryView project={project} path={path} />
      </Suspense>
    );
  if (error instanceof ApiError && error.code === 'not_found' && revision === null)
    return <MissingFile projectId={project.id} path={path} error={error} />;
  return (
    <NotFoundState
      error={error}
      projectId={project.id}
      action={<ButtonLink to="?view=history">{t('file.all_versions')}</ButtonLink>}
    >
      <QueryState query={query} showStaleError loading={['38%', '62%', '54%', '70%', '46%', '58%', '66%']}>
        {(file) => <FileView {...props} file={file} />}
      </QueryState>
    </NotFoundState>
  );
}

function FileView({ file, ...props }: FileProps & { file: ApiReply<'GET /projects/:id/text/*'> }) {
  const { project, path, revision } = props;
  const { t } = useTranslation('code');
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const selected = parseLineFragment(hash);
  const [wrap, setWrap] = useStoredSwitch('wrap', true);
  const symbol = search.get('symbol');
  const view = (['blame', 'history'] as const).find((name) => name === search.get('view')) ?? 'code';
  const viewUrl = (name: FileViewName) => withView(fileUrl(project.id, path, { commit: revision }), name);
  const show = (next: { search: string; hash: string }) =>
    void navigate(next, { replace: true, preventScrollReset: true });
  // The address is ahead of what is rendered: a change keeps one that was made a moment before.
  const selectLines = (lines: LineRange) =>
    show({ search: location.search, hash: fileUrl('', '', lines).replace(/^[^#]*/, '') });
  const setSymbol = (name: string | null) => {
    const next = new URLSearchParams(location.search);
    if (name === null) next.delete('symbol');
    else next.set('symbol', name);
    show({ search: next.toString(), hash: location.hash });
  };
  return (
    <>
      <FileToolbar
        {...{ project, path, file, selected, view, viewUrl, wrap, setWrap }}
        isCurrent={revision === null}
      />
      {file.skipped && (
        <p className="mb-3 text-muted">{t('file.skipped', { reason: t(`skipped.${file.skipped}`) })}</p>
      )}
      {view === 'history' ? (
        <Suspense>
          <HistoryView project={project} path={path} />
        </Suspense>
      ) : (
        <div className="file-columns">
          <CodePane
            {...{ project, path, file, selected, wrap, revision }}
            showBlame={view === 'blame'}
            onSelect={selectLines}
            onSymbol={setSymbol}
          />
          <FileAside
            project={project}
            path={path}
            commit={file.commit}
            symbol={symbol}
            onSymbol={setSymbol}
          />
        </div>
      )}
      <p className="mt-3 text-sm text-muted">
        <Link to={viewUrl('history')} className="link">
          {t('file.all_versions')}
        </Link>
      </p>
    </>
  );
}

function withView(url: string, view: FileViewName): string {
  if (view === 'code') return url;
  return `${url}${url.includes('?') ? '&' : '?'}view=${view}`;
}
