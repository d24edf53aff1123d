import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { fileUrl } from '../parts/citation.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SymbolPanel } from './symbol-panel.tsx';

interface FileAsideProps {
  project: Project;
  path: string;
  commit: string;
  symbol: string | null;
  onSymbol: (name: string | null) => void;
}

/** Names, authors, related files, tests and answers of a file. */
export function FileAside({ project, path, commit, symbol, onSymbol }: FileAsideProps) {
  const { t } = useTranslation('code');
  const now = useNow();
  const query = useQuery({
    ...apiQuery('GET /projects/:id/versions/*', { params: { id: project.id, '*': path } }),
    staleTime: 60_000,
  });
  return (
    <aside className="file-aside flex flex-col gap-5 self-start" aria-label={t('aside.label')}>
      <SymbolPanel {...{ project, path, commit, symbol, onSymbol }} />
      <QueryState query={query} loading={['60%', '44%', '52%']}>
        {({ authors, related, counted, tests, answers }) => (
          <>
            {answers.length > 0 && (
              <AsideList title={t('aside.answers')}>
                {answers.map(({ id, title, created_at }) => (
                  <li key={id} className="flex gap-3">
                    <Link to={`/debug/${id}`} className="min-w-0 flex-1 truncate hover:text-action">
                      <Verbatim text={title} />
                    </Link>
                    <span className="shrink-0 text-muted">
                      <TimeAgo timestamp={created_at} now={now} />
                    </span>
                  </li>
                ))}
              </AsideList>
            )}
            {authors.length > 0 && (
              <AsideList title={t('aside.authors')}>
                {authors.map(({ name, commits, last }) => (
                  <li key={name} className="flex gap-3">
                    <Link
                      to={`/projects/${project.id}/commits?author=${encodeURIComponent(name)}&path=${encodeURIComponent(path)}`}
                      className="flex min-w-0 flex-1 items-center gap-1.5 hover:text-action"
                    >
                      <Avatar name={name} size="small" />
                      <span className="truncate">
                        <Verbatim text={name} />
                      </span>
                    </Link>
                    <span className="shrink-0 text-muted">
                      {t('commits', { count: commits })} · <TimeAgo timestamp={last} now={now} />
                    </span>
                  </li>
                ))}
              </AsideList>
            )}
            {related.length > 0 && (
              <AsideList title={t('aside.related')} note={t('aside.related_note', { count: counted })}>
                {related.map((file) => (
                  <li key={file.path} className="flex gap-3">
                    <FileLink projectId={project.id} path={file.path} />
                    <span className="shrink-0 text-muted tabular-nums">
                      {t('aside.together', { together: file.together, count: counted })}
                    </span>
                  </li>
                ))}
              </AsideList>
            )}
            {tests.length > 0 && (
              <AsideList title={t('aside.tests')}>
                {tests.map((test) => (
                  <li key={test} className="flex">
                    <FileLink projectId={project.id} path={test} />
                  </li>
                ))}
              </AsideList>
            )}
          </>
        )}
      </QueryState>
    </aside>
  );
}

function FileLink({ projectId, path }: { projectId: string; path: string }) {
  return (
    <Link
      to={fileUrl(projectId, path)}
      title={path}
      className="min-w-0 flex-1 truncate font-mono text-sm leading-5 hover:text-action"
    >
      <Verbatim text={path} />
    </Link>
  );
}

interface AsideListProps {
  title: string;
  note?: string;
  children: ReactNode;
}

function AsideList({ title, note, children }: AsideListProps) {
  return (
    <section>
      <h2 className="mb-1 border-b border-border pb-1">{title}</h2>
      <ul className="[&>li]:min-h-6 [&>li]:items-center">{children}</ul>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
    </section>
  );
}
