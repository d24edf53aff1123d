import { GitBranch, Tag } from 'lucide-react';
import { Link } from 'react-router';
import { firstLine } from '#contract/first-line.ts';
import type { Commit, CommitRef } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Avatar } from '../ui/avatar.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { AgeBar } from './age-mark.tsx';
import { commitUrl } from './citation.ts';
import type { GraphRow } from './commit-graph.ts';
import { Verbatim } from './verbatim.tsx';

const MAX_FILES = 3;

interface CommitRowProps {
  projectId: string;
  commit: Commit;
  now: number;
  /** Row of the graph of branches, and its width in lanes. */
  graph?: { row: GraphRow; lanes: number };
}

/** Row of a commit: title, branches and tags, author, date, hash and up to three files. */
export function CommitRow({ projectId, commit, now, graph }: CommitRowProps) {
  const { t } = useTranslation('parts');
  const more = (commit.files_changed_count ?? commit.files_changed.length) - MAX_FILES;
  return (
    <li className="relative flex border-b border-border bg-surface hover:bg-select">
      <AgeBar timestamp={commit.committed_at || commit.timestamp} now={now} />
      {graph && <CommitLanes {...graph} />}
      <div className="grid min-w-0 flex-1 gap-x-4 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto]">
        <Link
          to={commitUrl(projectId, commit.hash)}
          className="min-w-0 font-medium wrap-anywhere max-sm:line-clamp-2 sm:truncate text-foreground after:absolute after:inset-0 hover:text-action"
        >
          <Verbatim text={firstLine(commit.message) || t('no_message')} />
        </Link>
        <p className="flex gap-3 text-muted max-sm:order-last max-sm:justify-between sm:justify-end">
          <CommitTime commit={commit} />
          <span className="w-[7ch] font-mono text-sm">{commit.hash.slice(0, 7)}</span>
        </p>
        <p className="flex min-w-0 flex-wrap gap-x-3 text-muted sm:col-span-2">
          <span className="flex min-w-0 items-center gap-1.5">
            <Avatar name={commit.author} size="small" />
            <span className="truncate">
              <Verbatim text={commit.author} />
            </span>
          </span>
          <CommitRefs refs={commit.refs ?? []} />
          {commit.files_changed.slice(0, MAX_FILES).map((path) => (
            <span key={path} className="max-w-full truncate font-mono text-sm">
              <Verbatim text={path} />
            </span>
          ))}
          {more > 0 && <span>{t('more_files', { count: more })}</span>}
        </p>
      </div>
    </li>
  );
}

/** Date by which commits are ordered; the title says when the change was written, where that was another day. */
function CommitTime({ commit }: { commit: Commit }) {
  const { t, i18n } = useTranslation('parts');
  const { timestamp, committed_at: committed } = commit;
  const shown = committed || timestamp;
  const authored = formatShortDateTime(timestamp, i18n.language);
  const differs = isOtherDay(shown, timestamp) && authored !== null;
  return (
    <time
      dateTime={shown || undefined}
      title={differs ? t('commits.authored', { date: authored }) : undefined}
      className={differs ? 'relative z-[1] underline decoration-dotted underline-offset-2' : undefined}
    >
      {formatShortDateTime(shown, i18n.language) ?? t('invalid_time')}
    </time>
  );
}

const DAY_MS = 86_400_000;

/** True when a commit was written at least a day before it was committed, as after a rebase. */
export function isOtherDay(committed: string, authored: string): boolean {
  return Math.abs(Date.parse(committed) - Date.parse(authored)) >= DAY_MS;
}

/** Branches and tags at a commit. */
export function CommitRefs({ refs }: { refs: readonly CommitRef[] }) {
  const { t } = useTranslation('parts');
  return refs.map(({ name, kind }) => (
    <span
      key={`${kind}/${name}`}
      className="inline-flex max-w-full items-center gap-1 rounded-sm border border-border px-1 font-mono text-xs leading-4 text-foreground"
    >
      {kind === 'tag' ? <Tag aria-hidden className="size-3" /> : <GitBranch aria-hidden className="size-3" />}
      <span className="sr-only">{t(`ref.${kind}`)} </span>
      <span className="truncate">
        <Verbatim text={name} />
      </span>
    </span>
  ));
}

const LANE_WIDTH = 12;
const MAX_LANES = 10;

/** Lines of branches and merges beside a commit. Decorative: parents are named on the commit's page. */
function CommitLanes({ row, lanes }: { row: GraphRow; lanes: number }) {
  const shown = Math.min(lanes, MAX_LANES);
  const x = (lane: number) => (lane + 0.5) * LANE_WIDTH;
  return (
    <span aria-hidden className="relative ml-2 shrink-0" style={{ width: shown * LANE_WIDTH }}>
      <svg
        className="absolute inset-0 size-full"
        viewBox={`0 0 ${shown * LANE_WIDTH} 100`}
        preserveAspectRatio="none"
      >
        <title> </title>
        {row.segments.map(({ from, to, y }) => (
          <line
            key={`${from}-${to}-${y}`}
            {...{ x1: x(from), y1: y[0] * 100, x2: x(to), y2: y[1] * 100 }}
            vectorEffect="non-scaling-stroke"
            strokeWidth={1.5}
            className="stroke-control"
          />
        ))}
      </svg>
      {row.lane < MAX_LANES && (
        <span
          className="absolute top-1/2 size-2 -translate-1/2 rounded-full bg-action"
          style={{ left: x(row.lane) }}
        />
      )}
    </span>
  );
}
