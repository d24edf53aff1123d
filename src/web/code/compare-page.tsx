import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import type { SubmitEvent } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ProjectBreadcrumbs } from '../parts/project-breadcrumbs.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { compareUrl } from './code-urls.ts';
import { ComparedFiles } from './compared-files.tsx';
import { ComparedCommits, ComparedSymbols, ReleaseNotes } from './comparison-views.tsx';
import { NotFoundState } from './not-found-state.tsx';

/** `/projects/:id/compare/a...b`; without revisions, a form. */
export function Component() {
  const { t } = useTranslation('code');
  const { id = '', '*': range = '' } = useParams();
  const [base = '', head = ''] = range.split('...');
  return (
    <ProjectLoader id={id}>
      {(project) => (
        <article>
          <PageTitle>{base && head ? `${base}...${head}` : t('compare.open')}</PageTitle>
          <ProjectBreadcrumbs project={project}>
            <span>{t('compare.open')}</span>
          </ProjectBreadcrumbs>
          <h1 className="mb-3">{t('compare.open')}</h1>
          <RevisionForm key={range} project={project} base={base} head={head} />
          {base && head && <Comparison project={project} base={base} head={head} />}
        </article>
      )}
    </ProjectLoader>
  );
}

interface RevisionsProps {
  project: Project;
  base: string;
  head: string;
}

function RevisionForm({ project, base, head }: RevisionsProps) {
  const { t } = useTranslation('code');
  const navigate = useNavigate();
  const refs = useQuery({
    ...apiQuery('GET /projects/:id/refs', { params: { id: project.id } }),
    staleTime: 60_000,
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [from, to] = ['base', 'head'].map((name) => String(form.get(name) ?? '').trim());
    if (from && to) void navigate(compareUrl(project.id, from, to));
  };
  return (
    <form onSubmit={onSubmit} className="mb-6 flex max-w-[760px] flex-wrap items-end gap-3">
      {(['base', 'head'] as const).map((name) => (
        <div key={name} className="min-w-40 flex-1">
          <Field label={t(`compare.${name}`)}>
            <Input
              name={name}
              list="revisions"
              required
              maxLength={200}
              defaultValue={
                (name === 'base' ? base : head) || (name === 'head' ? (project.branch ?? '') : '')
              }
              autoComplete="off"
              spellCheck={false}
              placeholder={t('compare.hint')}
              className="font-mono"
            />
          </Field>
        </div>
      ))}
      <datalist id="revisions">
        {refs.data?.refs.map(({ kind, name }) => (
          <option key={`${kind}/${name}`} value={name} />
        ))}
      </datalist>
      <Button type="submit" kind="primary">
        {t('compare.submit')}
      </Button>
      {base && head && (
        <Link to={compareUrl(project.id, head, base)} className="link flex h-8 items-center">
          {t('compare.swap')}
        </Link>
      )}
    </form>
  );
}

function Comparison({ project, base, head }: RevisionsProps) {
  const query = useQuery({
    ...apiQuery('GET /projects/:id/compare', { params: { id: project.id }, query: { base, head } }),
    staleTime: 60_000,
  });
  return (
    <NotFoundState error={query.error} projectId={project.id}>
      <QueryState query={query} showStaleError loading={['40%', '64%', '52%', '58%']}>
        {(found) => <ComparisonView project={project} base={base} head={head} found={found} />}
      </QueryState>
    </NotFoundState>
  );
}

const VIEWS = ['files', 'commits', 'symbols', 'notes'] as const;

function ComparisonView(props: RevisionsProps & { found: ApiReply<'GET /projects/:id/compare'> }) {
  const { project, found, base, head } = props;
  const { t, i18n } = useTranslation('code');
  const [search] = useSearchParams();
  const view = VIEWS.find((name) => name === search.get('show')) ?? 'files';
  const format = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  const hotspots = found.files.filter(({ hotspot }) => hotspot).length;
  const facts = [
    t('compare.commits', { count: found.total_commits, value: format(found.total_commits) }),
    t('compare.authors', { count: found.authors, value: format(found.authors) }),
    t('compare.files', { count: found.total_files, value: format(found.total_files) }),
    ...(hotspots > 0 ? [t('compare.hotspots', { count: hotspots })] : []),
    ...(found.behind > 0 ? [t('compare.behind', { count: found.behind, value: format(found.behind) })] : []),
  ];
  return (
    <>
      <p className="mb-4 flex flex-wrap gap-x-4 gap-y-1">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {found.ancestor === null && <span className="text-muted">{t('compare.unrelated')}</span>}
      </p>
      <nav aria-label={t('compare.views')} className="mb-4 tab-strip flex gap-5 border-b border-border">
        {VIEWS.map((name) => (
          <Link
            key={name}
            to={name === 'files' ? '?' : `?show=${name}`}
            aria-current={name === view ? 'page' : undefined}
            className={clsx(
              '-mb-px flex h-9 shrink-0 items-center border-b-2 focus-visible:-outline-offset-2',
              name === view
                ? 'border-action font-semibold text-foreground'
                : 'border-transparent text-muted hover:text-foreground',
            )}
          >
            {t(`compare.view.${name}`)}
          </Link>
        ))}
      </nav>
      {view === 'files' && <ComparedFiles project={project} found={found} />}
      {view === 'commits' && <ComparedCommits project={project} found={found} />}
      {view === 'symbols' && <ComparedSymbols project={project} found={found} />}
      {view === 'notes' && <ReleaseNotes project={project} found={found} base={base} head={head} />}
    </>
  );
}
