import { CircleAlert, ExternalLink, MessagesSquare, RefreshCw } from 'lucide-react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { isBusy } from '../parts/phases.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { useRefreshProject } from '../parts/use-project.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { ButtonLink, IconButton } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { isHttpUrl } from './http-url.ts';
import { ProjectState } from './project-state.tsx';

/** Card of a project: its state, lag and activity; actions on hover and focus. */
export function ProjectCard({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  return (
    <li className="border-b border-border">
      <article className="row flex min-h-40 flex-col items-stretch py-4">
        <div className="flex items-start justify-between gap-4">
          <div className="min-w-0">
            <h2 className="truncate text-answer">
              <Link to={`/projects/${project.id}`} className="hover:text-action">
                {project.name}
              </Link>
            </h2>
            <p className="truncate font-mono text-sm text-muted" title={project.git_url}>
              <Verbatim text={project.git_url} />
            </p>
          </div>
          {project.weeks && (
            <Sparkline values={project.weeks} label={t('card.commits')} className="mt-1 shrink-0" />
          )}
        </div>
        {project.description && <p className="mt-2 line-clamp-2 max-w-[60ch]">{project.description}</p>}
        <CardStatus project={project} />
        <div className="mt-auto flex items-center gap-1 pt-3">
          <ButtonLink to={`/projects/${project.id}`} className="mr-auto">
            {t('view_details')}
            <span className="sr-only">: {project.name}</span>
          </ButtonLink>
          <CardActions project={project} />
        </div>
      </article>
    </li>
  );
}

function CardStatus({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const failed = project.failure !== null && !isBusy(project);
  return (
    <div className="mt-2 text-sm text-muted">
      <p className="flex flex-wrap gap-x-3">
        <ProjectState project={project} />
        {project.coverage && (
          <span>
            {[
              t('card.commit_count', { count: project.coverage.commits }),
              t('card.file_count', { count: project.coverage.indexed }),
            ].join(', ')}
          </span>
        )}
        {project.fetched_at && !isBusy(project) && (
          <span>
            {t('card.checked')} <RelativeTime at={project.fetched_at} />
          </span>
        )}
        <span>
          {t('created')} <RelativeTime at={project.created_at} />
        </span>
      </p>
      {failed && project.failure && (
        <p className="mt-1 flex gap-1.5 text-foreground">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="line-clamp-3">
            <SentenceText sentence={project.failure} />
          </span>
        </p>
      )}
    </div>
  );
}

const ICON_LINK =
  'inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground';

function CardActions({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const refresh = useRefreshProject(project.id);
  const busy = isBusy(project) || refresh.isPending;
  return (
    <>
      {refresh.error && (
        <span role="alert" className="min-w-0 truncate text-sm" title={refresh.error.message}>
          {refresh.error.message}
        </span>
      )}
      <RowActions>
        {project.role !== 'viewer' && (
          <IconButton
            label={t('refresh_named', { name: project.name })}
            icon={<RefreshCw aria-hidden className="size-4" />}
            disabled={busy}
            onClick={() => refresh.mutate()}
          />
        )}
        <Link
          to={`/projects/${project.id}/chat`}
          title={t('chat_named', { name: project.name })}
          aria-label={t('chat_named', { name: project.name })}
          className={ICON_LINK}
        >
          <MessagesSquare aria-hidden className="size-4" />
        </Link>
        {isHttpUrl(project.git_url) && (
          <a
            href={project.git_url}
            target="_blank"
            rel="noreferrer noopener"
            title={t('open_repository')}
            aria-label={t('open_repository_named', { name: project.name })}
            className={ICON_LINK}
          >
            <ExternalLink aria-hidden className="size-4" />
          </a>
        )}
      </RowActions>
    </>
  );
}
