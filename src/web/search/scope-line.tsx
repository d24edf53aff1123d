import type { ApiReply } from '#contract/api.ts';
import type { ScopedProject } from '#contract/search-results.ts';
import { useTranslation } from '../i18n.ts';
import { formatDuration } from '../parts/format-duration.ts';
import { Verbatim } from '../parts/verbatim.tsx';

type Reply = ApiReply<'GET /search/results'>;

/** States of a project that a reader has to know of. */
const RESTRICTED = [
  'not_ready',
  'partly_indexed',
  'revision_not_found',
  'revision_not_indexed',
  'timed_out',
  'without_branch',
] as const;

/** Searched projects with their revisions, and everything that was left out. */
export function ScopeLine({ reply, exact }: { reply: Reply; exact: boolean }) {
  const { t, i18n } = useTranslation('search');
  const { projects, total, complete, took_ms, projects_omitted, unknown_projects, type } = reply;
  const searched = projects.filter(
    ({ state }) =>
      state === 'searched' ||
      state === 'partly_indexed' ||
      state === 'without_branch' ||
      state === 'timed_out',
  );
  const list = new Intl.ListFormat(i18n.language);
  const names = (some: readonly ScopedProject[]) => list.format(some.map(({ name }) => name));
  const unindexed = exact ? searched.reduce((sum, { unindexed_files }) => sum + unindexed_files, 0) : 0;
  const notes = [
    ...RESTRICTED.flatMap((state) => {
      const some = projects.filter((project) => project.state === state);
      return some.length > 0 ? [t(`scope.${state}`, { count: some.length, names: names(some) })] : [];
    }),
    ...(unknown_projects.length > 0 ? [t('scope.unknown', { names: list.format(unknown_projects) })] : []),
    ...(projects_omitted > 0 ? [t('scope.omitted', { count: projects_omitted })] : []),
    ...(unindexed > 0 ? [t('scope.unindexed', { count: unindexed })] : []),
    ...searched.flatMap(({ name, history }) => {
      if (type !== 'changes' || !history || (history.total !== null && history.commits >= history.total))
        return [];
      return [t('scope.history', { name, count: history.commits, total: history.total ?? '…' })];
    }),
  ];
  return (
    <div className="py-2 text-muted">
      <div role="status" className="flex flex-wrap gap-x-3">
        <span className="font-semibold text-foreground">
          {t(complete ? `total.${type}` : `total_sample.${type}`, { count: total })}
        </span>
        {searched.length > 0 && (
          <>
            <ScopeNames projects={searched} />
            <span>{formatDuration(took_ms, i18n.language)}</span>
          </>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} className="text-sm">
          <Verbatim text={note} />
        </p>
      ))}
    </div>
  );
}

const MAX_NAMES = 3;

function ScopeNames({ projects }: { projects: ScopedProject[] }) {
  const { t, i18n } = useTranslation('search');
  const named = projects.map(({ name, branch, commit }) => {
    const revision = branch ?? commit?.slice(0, 7);
    return revision ? `${name} @ ${revision}` : name;
  });
  const list = new Intl.ListFormat(i18n.language);
  if (projects.length <= MAX_NAMES) return <span>{t('scope.in', { names: list.format(named) })}</span>;
  return (
    <details className="group min-w-0">
      <summary className="link cursor-pointer list-none">
        {t('scope.in_many', { count: projects.length })}
      </summary>
      <span className="text-sm">
        <Verbatim text={list.format(named)} />
      </span>
    </details>
  );
}
