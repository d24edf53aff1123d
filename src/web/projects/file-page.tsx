import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { fileUrl, parseLineFragment } from '../parts/citation.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CodeView, type LineRange } from '../parts/code-view.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { firstWindow, joinWindows, windowAfter, windowBefore } from './file-window.ts';
import { ProjectBreadcrumbs } from './project-breadcrumbs.tsx';

/** `/projects/:id/files/*`: a file with blame; `#L10-L20` selects lines. */
export function Component() {
  const { id = '', '*': path = '' } = useParams();
  const [query] = useSearchParams();
  const ref = query.get('ref');
  return (
    <ProjectLoader id={id}>
      {(project) => <FileView key={`${path}\0${ref}`} project={project} path={path} revision={ref} />}
    </ProjectLoader>
  );
}

interface FileViewProps {
  project: Project;
  path: string;
  /** Commit or branch; null for the indexed commit. */
  revision: string | null;
}

function FileView({ project, path, revision }: FileViewProps) {
  const { t } = useTranslation('projects');
  const { hash } = useLocation();
  const navigate = useNavigate();
  const now = useNow();
  const marked = parseLineFragment(hash);
  const { query, ...pages } = useFileWindows({ project, path, revision }, marked);
  const selectLines = ({ from, to }: LineRange) =>
    navigate(fileUrl(project.id, path, { commit: revision, from, to }), {
      replace: true,
      preventScrollReset: true,
    });
  return (
    <article>
      <PageTitle>{path.slice(path.lastIndexOf('/') + 1)}</PageTitle>
      <ProjectBreadcrumbs project={project}>
        <span className="font-mono text-sm break-all">
          <Verbatim text={path} />
        </span>
      </ProjectBreadcrumbs>
      <h1 className="sticky top-12 z-10 bg-background py-2 font-mono text-answer font-medium break-all">
        <Verbatim text={path} />
      </h1>
      <QueryState
        query={query}
        showStaleError
        errorClassName="mb-3"
        loading={['38%', '62%', '54%', '70%', '46%', '58%', '66%']}
      >
        {(file) => (
          <>
            <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
              <span className="inline-flex items-center gap-1.5">
                {t('file.at')}
                <CitationChip projectId={project.id} citation={{ kind: 'commit', hash: file.commit }} />
              </span>
              <span>{t('file.lines', { count: file.total_lines })}</span>
              <CopyButton text={path} label={t('file.copy_path')} />
              <CopyButton text={permalink(project, path, file.commit, marked)} label={t('file.copy_link')} />
            </p>
            <div className="overflow-hidden rounded-md border border-border bg-surface">
              <LoadMoreLines
                shown={pages.hasBefore}
                busy={pages.busyBefore}
                onMore={pages.before}
                where="before"
              />
              <CodeView
                projectId={project.id}
                file={file}
                now={now}
                selected={marked}
                annotate
                onSelect={selectLines}
              />
              <LoadMoreLines
                shown={pages.hasAfter}
                busy={pages.busyAfter}
                onMore={pages.after}
                where="after"
              />
            </div>
          </>
        )}
      </QueryState>
    </article>
  );
}

function useFileWindows({ project, path, revision }: FileViewProps, marked: LineRange | null) {
  const [opened] = useState(() => firstWindow(marked));
  const query = useInfiniteQuery({
    queryKey: projectKeys.fileWindows(project.id, path, revision ?? project.indexed_commit, opened),
    queryFn: ({ pageParam, signal }) =>
      api(
        'GET /projects/:id/files/*',
        {
          params: { id: project.id, '*': path },
          query: { ref: revision ?? undefined, from: String(pageParam.from), to: String(pageParam.to) },
        },
        { signal },
      ),
    initialPageParam: opened,
    getNextPageParam: windowAfter,
    getPreviousPageParam: windowBefore,
  });
  return {
    query: { ...query, data: joinWindows(query.data?.pages ?? []) ?? undefined },
    hasBefore: query.hasPreviousPage,
    busyBefore: query.isFetchingPreviousPage,
    before: () => void query.fetchPreviousPage(),
    hasAfter: query.hasNextPage,
    busyAfter: query.isFetchingNextPage,
    after: () => void query.fetchNextPage(),
  };
}

function permalink(project: Project, path: string, commit: string, marked: LineRange | null): string {
  return location.origin + fileUrl(project.id, path, { commit, ...marked });
}

interface MoreLinesProps {
  shown: boolean;
  busy: boolean;
  onMore: () => void;
  where: 'before' | 'after';
}

function LoadMoreLines({ shown, busy, onMore, where }: MoreLinesProps) {
  const { t } = useTranslation('projects');
  if (!shown) return null;
  return (
    <div className={where === 'before' ? 'border-b border-border p-1' : 'border-t border-border p-1'}>
      <Button kind="ghost" size="small" className="w-full" loading={busy} onClick={onMore}>
        {t(where === 'before' ? 'file.before' : 'file.after')}
      </Button>
    </div>
  );
}
