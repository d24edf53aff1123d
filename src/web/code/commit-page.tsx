import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { firstLine } from '#contract/first-line.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { hostCommitUrl, pullRequestNumber, pullRequestUrl } from '../parts/code-host.ts';
import { CommitHeader } from '../parts/commit-changes.tsx';
import { CommitIssues } from '../parts/commit-issues.tsx';
import { HostLink } from '../parts/host-link.tsx';
import { ProjectBreadcrumbs } from '../parts/project-breadcrumbs.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { RevertButton } from '../parts/revert-button.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { askUrl, folderUrl } from './code-urls.ts';
import { DiffFiles } from './diff-files.tsx';
import { NotFoundState } from './not-found-state.tsx';
import { useStoredSwitch } from './use-stored-switch.ts';

/** `/projects/:id/commits/:sha`; `?parent=2` compares a merge with its second parent. */
export function Component() {
  const { id = '', sha = '' } = useParams();
  return <ProjectLoader id={id}>{(project) => <CommitView project={project} sha={sha} />}</ProjectLoader>;
}

function CommitView({ project, sha }: { project: Project; sha: string }) {
  const [search] = useSearchParams();
  const [hidesBlanks, setHidesBlanks] = useStoredSwitch('blanks', false);
  const query = useQuery({
    ...apiQuery('GET /projects/:id/commits/:sha', {
      params: { id: project.id, sha },
      query: {
        parent: /^\d{1,3}$/.test(search.get('parent') ?? '') ? search.get('parent')! : undefined,
        whitespace: hidesBlanks ? 'ignore' : undefined,
      },
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return (
    <article>
      <PageTitle>{firstLine(query.data?.message ?? '') || sha.slice(0, 7)}</PageTitle>
      <ProjectBreadcrumbs project={project}>
        <span className="font-mono text-sm">{sha.slice(0, 7)}</span>
      </ProjectBreadcrumbs>
      <NotFoundState error={query.error} projectId={project.id}>
        <QueryState query={query} showStaleError loading={['46%', '30%', '62%', '56%', '70%', '48%']}>
          {(commit) => (
            <>
              <CommitHeader commit={commit} heading="h1" gitUrl={project.git_url} />
              <div className="mt-3 empty:hidden">
                <CommitIssues projectId={project.id} hash={commit.hash} />
              </div>
              <CommitFacts project={project} commit={commit} />
              <DiffFiles
                projectId={project.id}
                files={commit.files}
                viewedKey={`${commit.hash}:${commit.parent}`}
                timestamp={commit.timestamp}
                before={commit.parents[commit.parent - 1] ?? null}
                after={commit.hash}
                hidesBlanks={hidesBlanks}
                onHideBlanks={setHidesBlanks}
                total={commit.totals?.files ?? commit.files.length}
              />
            </>
          )}
        </QueryState>
      </NotFoundState>
    </article>
  );
}

interface CommitFactsProps {
  project: Project;
  commit: ApiReply<'GET /projects/:id/commits/:sha'>;
}

/** Size of the change, parents, and what can be done with the commit. */
function CommitFacts({ project, commit }: CommitFactsProps) {
  const { t, i18n } = useTranslation('code');
  const format = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  const { totals, parents, parent, hash } = commit;
  const count = totals?.files ?? commit.files.length;
  const subject = firstLine(commit.message);
  return (
    <div className="mt-4 mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border pb-3 text-muted">
      <span>{t('commit.files', { count, value: format(count) })}</span>
      {totals && (
        <span className="flex gap-2 tabular-nums">
          <span className="text-success">
            +{format(totals.added)}
            <span className="sr-only"> {t('commit.added')}</span>
          </span>
          <span>
            −{format(totals.deleted)}
            <span className="sr-only"> {t('commit.deleted')}</span>
          </span>
        </span>
      )}
      <PullRequestLink gitUrl={project.git_url} message={commit.body} />
      {parents.length > 0 && (
        <span className="flex flex-wrap items-center gap-1.5">
          {t('commit.parents', { count: parents.length })}
          {parents.map((oid) => (
            <CitationChip key={oid} projectId={project.id} citation={{ kind: 'commit', hash: oid }} />
          ))}
        </span>
      )}
      {parents.length > 1 && <ParentChoice parents={parents} parent={parent} />}
      <span className="ml-auto flex flex-wrap gap-2">
        {project.role !== 'viewer' && parents.length === 1 && (
          <RevertButton projectId={project.id} commit={hash} branch={`revert-${hash.slice(0, 7)}`} />
        )}
        <HostLink gitUrl={project.git_url} url={hostCommitUrl(project.git_url, hash)} />
        <ButtonLink to={folderUrl(project.id, '', hash)}>{t('commit.browse')}</ButtonLink>
        <ButtonLink to={askUrl(project.id, `${t('ask.about')} ${hash.slice(0, 7)} (${subject}): `)}>
          {t('ask.open')}
        </ButtonLink>
      </span>
    </div>
  );
}

/** Number of the pull request that the message names, where its host is known. */
function PullRequestLink({ gitUrl, message }: { gitUrl: string; message: string }) {
  const { t } = useTranslation('code');
  const number = pullRequestNumber(message);
  const url = number === null ? null : pullRequestUrl(gitUrl, number);
  if (url === null) return null;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="link">
      {t('commit.pull_request', { number })}
    </a>
  );
}

/** Parent that a merge is compared with, in the address. */
function ParentChoice({ parents, parent }: { parents: string[]; parent: number }) {
  const { t } = useTranslation('code');
  const [search, setSearch] = useSearchParams();
  const choose = (value: string) => {
    const next = new URLSearchParams(search);
    next.set('parent', value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return (
    <span className="flex items-center gap-2">
      <label htmlFor="parent">{t('commit.against')}</label>
      <Select
        id="parent"
        className="w-36 font-mono text-sm"
        value={parent}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {parents.slice(0, 20).map((oid, index) => (
          <option key={oid} value={index + 1}>
            {index + 1}: {oid.slice(0, 7)}
          </option>
        ))}
      </Select>
    </span>
  );
}
