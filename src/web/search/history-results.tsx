import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { AgeTick } from '../parts/age-mark.tsx';
import { commitUrl } from '../parts/citation.ts';
import { DiffView } from '../parts/diff-view.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';

type HistoryReply = ApiReply<'GET /search/history'>;
type Change = HistoryReply['changes'][number];

export const MATCHES = ['words', 'exact'] as const;
export const SIDES = ['any', 'added', 'removed'] as const;
export type Match = (typeof MATCHES)[number];
export type Side = (typeof SIDES)[number];

const SKELETON_ROWS = ['52%', '70%', '44%', '66%', '58%', '72%'];
/** Polling interval while the history is being indexed. */
const POLL_INTERVAL_MS = 3000;

interface HistoryResultsProps {
  projectId: string;
  q: string;
  match: Match;
  side: Side;
}

/** Commits of the whole history that added or removed the text. */
export function HistoryResults(props: HistoryResultsProps) {
  const { projectId, q, match, side } = props;
  const found = useQuery({
    ...apiQuery('GET /search/history', { query: { q, project_id: projectId, match, side } }),
    refetchInterval: ({ state }) => (state.data && isIndexing(state.data) ? POLL_INTERVAL_MS : false),
  });
  return (
    <QueryState query={found} showStaleError loading={SKELETON_ROWS}>
      {(reply) => <HistoryChanges {...props} reply={reply} />}
    </QueryState>
  );
}

function HistoryChanges(props: HistoryResultsProps & { reply: HistoryReply }) {
  const { projectId, q, match, reply } = props;
  const { t } = useTranslation('search');
  const { changes, first_added: first, last_removed: last, partial, took_ms } = reply;
  const others = changes.filter((change) => !isSameChange(change, first) && !isSameChange(change, last));
  return (
    <>
      <IndexingStatus found={reply} />
      {changes.length === 0 ? (
        <EmptyState title={t('history.nothing', { q })}>{t(`history.nothing_${match}`)}</EmptyState>
      ) : (
        <>
          <p role="status" className="mb-4 flex flex-wrap gap-x-4 text-muted">
            <span>{t('history.changes', { count: changes.length })}</span>
            <span>{t('took', { ms: Math.ceil(took_ms) })}</span>
            {partial && <span>{t('history.partial')}</span>}
          </p>
          {first && <ChangeSection title={t('history.first')} projectId={projectId} changes={[first]} />}
          {last && <ChangeSection title={t('history.last')} projectId={projectId} changes={[last]} />}
          {others.length > 0 && (
            <ChangeSection title={t(`history.all_${match}`)} projectId={projectId} changes={others} />
          )}
        </>
      )}
    </>
  );
}

function isSameChange(a: Change, b: Change | null): boolean {
  return a.hash === b?.hash && a.new_path === b.new_path && a.old_path === b.old_path;
}

function isIndexing({ indexed: { commits, total } }: HistoryReply): boolean {
  return total === null || commits < total;
}

/** Indexed part of the history, and the number of changes left out. */
function IndexingStatus({ found }: { found: HistoryReply }) {
  const { t } = useTranslation('search');
  const { commits, total, omitted: left } = found.indexed;
  if (isIndexing(found)) {
    return (
      <p role="status" className="mb-4 text-muted">
        {total === null ? t('history.waiting') : t('history.indexed', { count: commits, total })}
      </p>
    );
  }
  return left > 0 ? <p className="mb-2 text-muted">{t('history.partly_indexed', { count: left })}</p> : null;
}

function ChangeSection(props: { title: string; projectId: string; changes: Change[] }) {
  const { title, projectId, changes } = props;
  return (
    <section className="mb-8">
      <h2 className="mb-2">{title}</h2>
      <ol className="flex flex-col gap-3">
        {changes.map((change) => (
          <ChangeItem
            key={`${change.hash}:${change.new_path ?? change.old_path}`}
            projectId={projectId}
            change={change}
          />
        ))}
      </ol>
    </section>
  );
}

function ChangeItem({ projectId, change }: { projectId: string; change: Change }) {
  const { t, i18n } = useTranslation(['search', 'parts']);
  const now = useNow();
  const { hash, message, author, timestamp, old_path, new_path, hunk } = change;
  const path = new_path ?? old_path ?? '';
  return (
    <li className="overflow-hidden rounded-md border border-border bg-surface">
      <Link
        to={commitUrl(projectId, hash)}
        className="grid gap-x-4 border-b border-border px-3 py-1.5 hover:bg-select focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,1fr)_auto]"
      >
        <span className="min-w-0 truncate font-medium text-foreground">
          <Verbatim text={message || t('parts:no_message')} />
        </span>
        <span className="flex items-center gap-3 text-muted sm:justify-end">
          <AgeTick timestamp={timestamp} now={now} />
          <time dateTime={timestamp || undefined}>
            {formatShortDateTime(timestamp, i18n.language) ?? t('parts:invalid_time')}
          </time>
          <span className="font-mono text-sm">{hash.slice(0, 7)}</span>
        </span>
        <span className="flex min-w-0 flex-wrap gap-x-3 text-muted sm:col-span-2">
          <span className="max-w-full truncate">
            <Verbatim text={author} />
          </span>
          <span className="max-w-full font-mono text-sm wrap-anywhere">
            <Verbatim text={old_path && new_path && old_path !== new_path ? `${old_path} → ${path}` : path} />
          </span>
        </span>
      </Link>
      {hunk ? (
        <div className="py-1">
          <DiffView hunk={hunk} path={path} timestamp={timestamp} now={now} />
        </div>
      ) : (
        <p className="px-3 py-2 text-muted">{t('history.no_lines')}</p>
      )}
    </li>
  );
}
