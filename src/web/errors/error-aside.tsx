import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ErrorDetail } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { formatRelease } from '../parts/format-release.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { ErrorKeys } from './error-keys.tsx';
import { Shares } from './shares.tsx';
import { SimilarErrors } from './similar-errors.tsx';

/** Side column of the page of an error: environments, releases, tags, answers, similar errors and fingerprints. */
export function ErrorAside({ detail }: { detail: ErrorDetail }) {
  const { t } = useTranslation('errors-page');
  const { error, environments, releases, tags, sessions, keys } = detail;
  const list = (name: string, value: string) =>
    `/projects/${error.project_id}/errors?${new URLSearchParams({ state: 'all', [name]: value })}`;
  return (
    <div className="flex flex-col gap-6">
      {environments.length > 0 && (
        <AsideBlock title={t('environments')}>
          <Shares
            values={environments}
            total={error.event_count}
            linkTo={(value) => list('environment', value)}
          />
        </AsideBlock>
      )}
      {releases.length > 0 && (
        <AsideBlock title={t('releases.seen')}>
          <Shares
            values={releases
              .map(({ version, count }) => ({ value: version, count }))
              .sort((a, b) => b.count - a.count)}
            total={error.event_count}
            linkTo={(value) => list('release', value)}
            format={formatRelease}
          />
        </AsideBlock>
      )}
      {tags.length > 0 && (
        <AsideBlock title={t('tags')}>
          <div className="flex flex-col gap-3">
            {tags.map(({ name, count, values }) => (
              <div key={name}>
                <h3 className="font-mono text-sm font-normal wrap-anywhere text-muted">
                  <Verbatim text={name} />
                </h3>
                <Shares values={values} total={count} linkTo={(value) => list('tag', `${name}:${value}`)} />
              </div>
            ))}
          </div>
        </AsideBlock>
      )}
      {sessions.length > 0 && (
        <AsideBlock title={t('answers')}>
          <ul className="border-b border-border">
            {sessions.map(({ id, kind, author, created_at }) => (
              <li key={id} className="flex flex-wrap gap-x-2 border-t border-border py-1.5">
                <Link to={`/debug/${id}`} className="link">
                  {kind ? t(`ui:state.${kind}`) : t('answer')}
                </Link>
                <span className="text-muted">
                  {author}, <RelativeTime at={created_at} />
                </span>
              </li>
            ))}
          </ul>
        </AsideBlock>
      )}
      <SimilarErrors detail={detail} />
      {keys.length > 1 && (
        <AsideBlock title={t('split.title')}>
          <ErrorKeys detail={detail} />
        </AsideBlock>
      )}
    </div>
  );
}

function AsideBlock({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1">{title}</h2>
      {children}
    </section>
  );
}
