import { Suspense, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { FunctionChange } from '#contract/code.ts';
import type { CommitIssue } from '#contract/issues.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { AgeBar, TimeAgo } from '../parts/age-mark.tsx';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { IssueOrigins } from '../parts/commit-issues.tsx';
import { FileDiffView } from '../parts/file-diff-view.tsx';
import { LinkedText } from '../parts/linked-text.tsx';
import { ProjectBreadcrumbs } from '../parts/project-breadcrumbs.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { useCommitIssues } from '../parts/use-commit-issues.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, ButtonLink, Spinner } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { PageTitle } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { askUrl } from './code-urls.ts';
import { NotFoundState } from './not-found-state.tsx';
import { useFunctionHistory } from './use-function-history.ts';

const WatchButton = lazyComponent(() =>
  import('../parts/watch-button.tsx').then((module) => module.WatchButton),
);

/** `/projects/:id/functions/path?name=Session.request`: the history of a function. */
export function Component() {
  const { id = '', '*': path = '' } = useParams();
  const [search] = useSearchParams();
  const name = search.get('name') ?? '';
  return (
    <ProjectLoader id={id}>
      {(project) => (
        <ListingPage>
          <PageTitle>{name}</PageTitle>
          <ProjectBreadcrumbs project={project}>
            <Link to={fileUrl(id, path)} className="font-mono text-sm break-all hover:text-action">
              <Verbatim text={path} />
            </Link>
          </ProjectBreadcrumbs>
          <h1 className="font-mono wrap-anywhere">
            <Verbatim text={name} />
          </h1>
          <Biography key={`${path}\0${name}`} project={project} path={path} name={name} />
        </ListingPage>
      )}
    </ProjectLoader>
  );
}

interface BiographyProps {
  project: Project;
  path: string;
  name: string;
}

const LABELS = ['behavior', 'refactoring', 'formatting', 'documentation'] as const;

function Biography({ project, path, name }: BiographyProps) {
  const { query, changes } = useFunctionHistory(project.id, path, name);
  const found = query.data ?? null;
  return (
    <NotFoundState error={query.error} projectId={project.id}>
      {query.error || (!found && changes.length === 0) ? (
        <QueryState query={query} showStaleError loading={['36%', '58%', '48%', '62%', '54%']}>
          {() => null}
        </QueryState>
      ) : (
        <BiographyView {...{ project, path, name, found, changes }} />
      )}
    </NotFoundState>
  );
}

interface BiographyViewProps extends BiographyProps {
  /** Null while older changes are being read. */
  found: ApiReply<'GET /projects/:id/functions/*'> | null;
  /** Those found so far. */
  changes: FunctionChange[];
}

function BiographyView({ project, path, name, found, changes }: BiographyViewProps) {
  const { t } = useTranslation('code');
  const [search, setSearch] = useSearchParams();
  const label = LABELS.find((one) => one === search.get('label')) ?? '';
  const shown = changes.filter((change) => label === '' || change.label === label);
  const issues = useCommitIssues(
    project.id,
    changes.map(({ hash }) => hash),
  );
  const answers = found?.answers ?? [];
  const lines = found && { from: found.start, to: found.end };
  return (
    <>
      <p className="mt-1 mb-3 min-h-5 max-w-[68ch] text-muted">
        {found && <Summary changes={changes} complete={found.complete} />}
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <ButtonLink to={fileUrl(project.id, path, lines ?? {})}>{t('function.show_code')}</ButtonLink>
        <ButtonLink to={askUrl(project.id, `${t('ask.about')} \`${name}\`: `)}>{t('ask.open')}</ButtonLink>
        <Suspense>
          <WatchButton
            subject={{ project_id: project.id, kind: 'function', value: found?.name ?? name, path }}
          />
        </Suspense>
        <span className="ml-auto flex items-center gap-2 text-muted">
          <label htmlFor="change-label">{t('function.show')}</label>
          <Select
            id="change-label"
            className="w-40"
            value={label}
            onChange={(event) => setSearch(withLabel(search, event.currentTarget.value), { replace: true })}
          >
            <option value="">{t('filters.any')}</option>
            {LABELS.map((one) => (
              <option key={one} value={one}>
                {t(`function.label.${one}`)}
              </option>
            ))}
          </Select>
        </span>
      </div>
      {answers.length > 0 && (
        <section className="mb-4">
          <h2 className="mb-1">{t('function.answers')}</h2>
          <ul>
            {answers.map((answer) => (
              <li key={answer.id}>
                <Link to={`/debug/${answer.id}`} className="link">
                  <Verbatim text={answer.title} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ol className="border-t border-border">
        {shown.map((change) => (
          <ChangeItem
            key={`${change.hash}:${change.event}`}
            project={project}
            change={change}
            issues={issues.get(change.hash) ?? NO_ISSUES}
          />
        ))}
      </ol>
      <p role="status" className="flex items-center gap-2 py-3 text-muted empty:hidden">
        {!found && (
          <>
            <Spinner /> {t('function.reading_older')}
          </>
        )}
      </p>
      {shown.length === 0 && found && <p className="py-3 text-muted">{t('function.none')}</p>}
    </>
  );
}

/** The author and date of the introduction, and the number of changes. */
function Summary({ changes, complete }: { changes: FunctionChange[]; complete: boolean }) {
  const { t, i18n } = useTranslation('code');
  const first = changes.at(-1);
  const authors = new Set(changes.map(({ author }) => author)).size;
  return (
    <>
      {complete && first?.event === 'introduced'
        ? t('function.introduced', {
            date: formatShortDateTime(first.timestamp, i18n.language),
            author: first.author,
          })
        : t('function.incomplete')}{' '}
      {t('function.summary', {
        count: changes.length,
        authors: t('function.authors', { count: authors }),
      })}
    </>
  );
}

function withLabel(search: URLSearchParams, label: string): URLSearchParams {
  const next = new URLSearchParams(search);
  if (label === '') next.delete('label');
  else next.set('label', label);
  return next;
}

const NO_ISSUES: readonly CommitIssue[] = [];

const TRAILER = /^[A-Z][a-z]+(?:-[A-Za-z]+)*-[Bb]y: /;

/** The lines of a commit's body that may say why: without blank ones and trailers such as `Co-authored-by`. */
function excerptOf(body: string): string {
  return body
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !TRAILER.test(line))
    .join('\n');
}

interface ChangeItemProps {
  project: Project;
  change: FunctionChange;
  issues: readonly CommitIssue[];
}

function ChangeItem({ project, change, issues }: ChangeItemProps) {
  const { t, i18n } = useTranslation('code');
  const now = useNow();
  const [open, setOpen] = useState(false);
  const { hash, subject, body, author, timestamp, event, label, from, path, diff } = change;
  const reason = excerptOf(body);
  const file = { old_path: path, new_path: path, binary: false, truncated: false, hunks: diff };
  return (
    <li className="flex border-b border-border bg-surface">
      <AgeBar timestamp={timestamp} now={now} />
      <div className="min-w-0 flex-1 px-3 py-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-semibold">{t(`function.event.${event}`)}</span>
          {event !== 'introduced' && <span className="text-muted">{t(`function.label.${label}`)}</span>}
          <Link to={commitUrl(project.id, hash)} className="min-w-0 flex-1 wrap-anywhere hover:text-action">
            <Verbatim text={subject || t('no_message')} />
          </Link>
          <span className="font-mono text-sm text-muted">{hash.slice(0, 7)}</span>
        </div>
        <p className="text-muted">
          <Verbatim text={author} /> · {formatShortDateTime(timestamp, i18n.language)} (
          <TimeAgo timestamp={timestamp} now={now} />)
          {from !== null && (
            <span className="pl-3 font-mono text-sm break-all">
              <Verbatim text={event === 'moved' ? `${from} → ${path}` : from} />
            </span>
          )}
        </p>
        {reason !== '' && (
          <p className="mt-1 line-clamp-3 max-w-[80ch] whitespace-pre-line">
            <LinkedText text={reason} gitUrl={project.git_url} />
          </p>
        )}
        <IssueOrigins projectId={project.id} issues={issues} />
        {diff.length > 0 && (
          <Button
            kind="ghost"
            size="small"
            className="mt-1 -ml-2"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t(open ? 'function.hide_diff' : 'function.show_diff')}
          </Button>
        )}
        {open && <FileDiffView file={file} timestamp={timestamp} />}
      </div>
    </li>
  );
}
