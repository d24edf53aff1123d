import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import type { Release } from '#contract/releases.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { formatRelease } from '../parts/format-release.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Input } from '../ui/field.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';

const MAX_RELEASES = '100';

/** Releases of a project with the errors in each, and the way to report one. */
export function ReleasesTab({ project }: { project: Project }) {
  const { t } = useTranslation('errors-page');
  const [text, setText] = useState('');
  const q = text.trim();
  const query = useQuery({
    ...apiQuery('GET /projects/:id/releases', {
      params: { id: project.id },
      query: { limit: MAX_RELEASES, ...(q !== '' && { q }) },
    }),
    placeholderData: keepPreviousData,
  });
  const isEmpty = query.data?.releases.length === 0 && q === '';
  return (
    <ListingPage aside={isEmpty ? undefined : <ReportRelease project={project} />}>
      {!isEmpty && (
        <Input
          type="search"
          className="mb-3 max-w-72"
          aria-label={t('releases.search')}
          placeholder={t('releases.search')}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <QueryState
        query={query}
        loading={['52%', '44%', '58%', '48%']}
        isEmpty={({ releases }) => releases.length === 0}
        empty={
          q === '' ? (
            <ReportRelease project={project} isFirst />
          ) : (
            <p className="text-muted">{t('releases.none')}</p>
          )
        }
      >
        {({ releases }) => (
          <ul aria-busy={query.isPlaceholderData} className="border-t border-border">
            {releases.map((release) => (
              <ReleaseRow key={release.version} projectId={project.id} release={release} />
            ))}
          </ul>
        )}
      </QueryState>
    </ListingPage>
  );
}

function ReleaseRow({ projectId, release }: { projectId: string; release: Release }) {
  const { t } = useTranslation('errors-page');
  const now = useNow();
  const { version, commit, source, timestamp, previous, errors } = release;
  const list = (name: 'release' | 'new_in' | 'regressed_in') =>
    `/projects/${projectId}/errors?${new URLSearchParams({ state: 'all', [name]: version })}`;
  return (
    <li className="border-b border-border">
      <div className="row min-h-12 flex-wrap gap-y-0.5 py-1.5">
        <div className="min-w-0 flex-1 basis-60">
          <p className="truncate font-mono text-code font-medium">
            <Verbatim text={formatRelease(version)} />
          </p>
          <p className="flex flex-wrap gap-x-3 text-sm text-muted">
            {timestamp && <TimeAgo timestamp={timestamp} now={now} />}
            <span>{t(`releases.source.${source ?? 'events'}`)}</span>
            {previous && (
              <span className="min-w-0">
                {t('releases.after')}{' '}
                <span className="font-mono wrap-anywhere">
                  <Verbatim text={formatRelease(previous)} />
                </span>
              </span>
            )}
          </p>
        </div>
        <span className="w-20 shrink-0">
          {commit && <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: commit }} />}
        </span>
        <ReleaseCount
          label={t('releases.new', { count: release.new_errors })}
          to={list('new_in')}
          isZero={release.new_errors === 0}
        />
        <ReleaseCount
          label={t('releases.regressed', { count: release.regressed_errors })}
          to={list('regressed_in')}
          isZero={release.regressed_errors === 0}
        />
        <ReleaseCount
          label={t('releases.errors', { count: errors })}
          to={list('release')}
          isZero={errors === 0}
        />
      </div>
    </li>
  );
}

/** Number of errors of a release, which leads to their list. */
function ReleaseCount({ label, to, isZero }: { label: string; to: string; isZero: boolean }) {
  return (
    <span className="shrink-0 sm:w-28 sm:text-right">
      {isZero ? (
        <span className="text-muted">{label}</span>
      ) : (
        <Link to={to} className="link">
          {label}
        </Link>
      )}
    </span>
  );
}

/** Call that reports a release, ready to be copied into a deployment. */
function ReportRelease({ project, isFirst = false }: { project: Project; isFirst?: boolean }) {
  const { t } = useTranslation('errors-page');
  const command = `curl -X POST ${location.origin}/api/projects/${project.id}/releases \\
  -H "Authorization: Bearer $HINDSIGHT_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"version": "1.0.0", "commit": "'$(git rev-parse HEAD)'"}'`;
  return (
    <section className={isFirst ? 'max-w-190' : undefined}>
      <h2 className="mb-1">{t(isFirst ? 'report.first' : 'report.title')}</h2>
      <p className="text-muted">{t('report.text')}</p>
      <div className="mt-3 rounded-md border border-border bg-surface">
        <div className="flex justify-end border-b border-border px-1 py-0.5">
          <CopyButton text={command} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by the keyboard. */}
        <pre tabIndex={0} className="overflow-x-auto px-3 py-2">
          {command}
        </pre>
      </div>
      <p className="mt-2 text-sm text-muted">
        {t('report.key')}{' '}
        <Link to="/settings" className="link">
          {t('report.settings')}
        </Link>
      </p>
    </section>
  );
}
