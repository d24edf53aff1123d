import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { FileVersion } from '#contract/code.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ageBucket, ageColor } from '../parts/age.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { FileDiffView } from '../parts/file-diff-view.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';
import { ToggleButton } from './toggle-button.tsx';
import { useStoredSwitch } from './use-stored-switch.ts';

/** Versions of a file through its renames, on a slider; the change of the chosen one below it. */
export function HistoryView({ project, path }: { project: Project; path: string }) {
  const { t } = useTranslation('code');
  const query = useQuery({
    ...apiQuery('GET /projects/:id/versions/*', { params: { id: project.id, '*': path } }),
    staleTime: 60_000,
  });
  return (
    <QueryState
      query={query}
      empty={<EmptyState title={t('history.none')}>{t('history.none_text')}</EmptyState>}
      isEmpty={({ versions }) => versions.length === 0}
    >
      {({ versions, total }) => <VersionSlider project={project} versions={versions} total={total} />}
    </QueryState>
  );
}

interface VersionSliderProps {
  project: Project;
  /** Newest first. */
  versions: FileVersion[];
  total: number;
}

function VersionSlider({ project, versions, total }: VersionSliderProps) {
  const { t } = useTranslation('code');
  const [search, setSearch] = useSearchParams();
  const at = search.get('at');
  const index = Math.max(0, at ? versions.findIndex(({ hash }) => hash.startsWith(at)) : 0);
  const version = useDeferredValue(versions[index]!);
  const choose = (next: number) => {
    const query = new URLSearchParams(search);
    query.set('at', versions[next]!.hash.slice(0, 12));
    setSearch(query, { replace: true, preventScrollReset: true });
  };
  const [hidesBlanks, setHidesBlanks] = useStoredSwitch('blanks', false);
  usePrefetchedNeighbours(project, { versions, index, hidesBlanks });
  const position = versions.length - 1 - index;
  return (
    <div>
      <div className="mb-3">
        <div className="mb-1 flex flex-wrap items-center gap-x-4 text-muted">
          <span aria-hidden className="flex-1 font-semibold text-foreground">
            {t('history.slider')}
          </span>
          <span aria-hidden className="tabular-nums">
            {t('history.position', { value: total - index, total })}
            {total > versions.length && ` · ${t('history.newest', { count: versions.length })}`}
          </span>
          <ToggleButton pressed={hidesBlanks} onChange={setHidesBlanks}>
            {t('diff.hide_blanks')}
          </ToggleButton>
        </div>
        <AgeTrack versions={versions} index={index} />
        <input
          type="range"
          min={0}
          max={versions.length - 1}
          value={position}
          onChange={(event) => choose(versions.length - 1 - event.currentTarget.valueAsNumber)}
          aria-label={t('history.slider')}
          aria-valuetext={`${version.subject}, ${version.timestamp.slice(0, 10)}`}
          className="time-slider"
        />
      </div>
      <VersionChange project={project} version={version} hidesBlanks={hidesBlanks} />
    </div>
  );
}

/** One stroke for each version in the colour of its age, the oldest at the left. */
function AgeTrack({ versions, index }: { versions: FileVersion[]; index: number }) {
  const now = useNow();
  return (
    <div aria-hidden className="flex h-3 items-end gap-px">
      {versions.toReversed().map(({ hash, timestamp }, i) => (
        <span
          key={hash}
          className={i === versions.length - 1 - index ? 'h-3 flex-1' : 'h-1.5 flex-1'}
          style={{ background: ageColor(ageBucket(timestamp, now)) }}
        />
      ))}
    </div>
  );
}

interface VersionChangeProps {
  project: Project;
  version: FileVersion;
  hidesBlanks: boolean;
}

function VersionChange({ project, version, hidesBlanks }: VersionChangeProps) {
  const { t, i18n } = useTranslation('code');
  const now = useNow();
  const { hash, subject, author, timestamp, path, kind } = version;
  const query = changeQuery(project.id, version, hidesBlanks);
  const change = useQuery({ ...query, placeholderData: keepPreviousData });
  return (
    <section aria-live="polite">
      <h2 className="text-answer">
        <Link to={commitUrl(project.id, hash)} className="hover:text-action">
          <Verbatim text={subject || t('no_message')} />
        </Link>
      </h2>
      <p className="mb-3 flex flex-wrap gap-x-3 text-muted">
        <span className="text-foreground">
          <Verbatim text={author} />
        </span>
        <span>
          {formatShortDateTime(timestamp, i18n.language)} (<TimeAgo timestamp={timestamp} now={now} />)
        </span>
        {kind !== 'change' && <span>{t(`kind.${kind}`)}</span>}
        <span className="font-mono text-sm leading-5 break-all">
          <Verbatim text={path} />
        </span>
        <Link to={fileUrl(project.id, path, { commit: hash })} className="link">
          {t('history.open')}
        </Link>
      </p>
      <QueryState query={change} loading={['60%', '48%', '66%', '52%']}>
        {({ file }) =>
          file ? (
            <FileDiffView
              file={file}
              timestamp={timestamp}
              after={{ projectId: project.id, revision: hash }}
            />
          ) : (
            <p className="text-muted">{t(hidesBlanks ? 'diff.only_blanks' : 'history.no_change')}</p>
          )
        }
      </QueryState>
    </section>
  );
}

const changeQuery = (projectId: string, { hash, path }: FileVersion, hidesBlanks: boolean) => ({
  ...apiQuery('GET /projects/:id/changes/*', {
    params: { id: projectId, '*': path },
    query: { commit: hash, whitespace: hidesBlanks ? 'ignore' : undefined },
  }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Loads the versions beside the chosen one, so that a step of the slider shows its change at once. */
function usePrefetchedNeighbours(
  project: Project,
  { versions, index, hidesBlanks }: { versions: FileVersion[]; index: number; hidesBlanks: boolean },
): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const step of [1, -1, 2]) {
        const version = versions[index + step];
        if (version) void client.prefetchQuery(changeQuery(project.id, version, hidesBlanks));
      }
    }, PREFETCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [client, project.id, versions, index, hidesBlanks]);
}

/** A slider that is dragged quickly passes most versions by. */
const PREFETCH_DELAY_MS = 120;
