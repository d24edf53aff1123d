import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { useBranchFlag } from '../parts/working-branch.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';

type LinesReply = ApiReply<'GET /search/lines'>;
type Lines = LinesReply['lines'];

const MATCHES = ['text', 'regex'] as const;
const SKELETON_ROWS = ['46%', '70%', '58%', '64%', '40%', '66%'];

/** Lines of indexed files that contain the text or match a regular expression, by file. */
export function LineSearch({ projectId, q }: { projectId: string; q: string }) {
  const { t } = useTranslation('search');
  const [query, setQuery] = useSearchParams();
  const match = MATCHES.find((one) => one === query.get('lines')) ?? 'text';
  const choose = (value: string) => {
    const next = new URLSearchParams(query);
    next.set('lines', value);
    setQuery(next, { replace: true });
  };
  return (
    <>
      <div className="mb-6">
        <SegmentedControl
          legend={t('lines.match')}
          options={{ text: t('lines.text'), regex: t('lines.regex') }}
          value={match}
          onChange={choose}
        />
      </div>
      <LineResults projectId={projectId} q={q} match={match} />
    </>
  );
}

function LineResults({ projectId, q, match }: { projectId: string; q: string; match: 'text' | 'regex' }) {
  const { t } = useTranslation('search');
  const working_branch = useBranchFlag(projectId);
  const found = useQuery(
    apiQuery('GET /search/lines', { query: { q, project_id: projectId, match, working_branch } }),
  );
  return (
    <QueryState
      query={found}
      showStaleError
      loading={SKELETON_ROWS}
      empty={<EmptyState title={t('lines.nothing', { q })}>{t(`lines.nothing_${match}`)}</EmptyState>}
      isEmpty={({ lines }) => lines.length === 0}
    >
      {(reply) => <LineGroups projectId={projectId} reply={reply} />}
    </QueryState>
  );
}

function LineGroups({ projectId, reply }: { projectId: string; reply: LinesReply }) {
  const { t } = useTranslation('search');
  const { lines, partial, took_ms, commit } = reply;
  return (
    <>
      <p role="status" className="mb-4 flex flex-wrap gap-x-4 text-muted">
        <span>{t('lines.found', { count: lines.length })}</span>
        <span>{t('took', { ms: Math.ceil(took_ms) })}</span>
        {partial && <span>{t('lines.partial')}</span>}
      </p>
      <ol className="flex flex-col gap-3">
        {[...Map.groupBy(lines, ({ path }) => path)].map(([path, ofFile]) => (
          <FileLines key={path} projectId={projectId} commit={commit} path={path} lines={ofFile} />
        ))}
      </ol>
    </>
  );
}

function FileLines(props: { projectId: string; commit: string; path: string; lines: Lines }) {
  const { projectId, commit, path, lines } = props;
  return (
    <li className="overflow-hidden rounded-md border border-border bg-surface">
      <h3 className="border-b border-border font-mono font-normal">
        <Link
          to={fileUrl(projectId, path, { commit })}
          className="block px-3 py-1.5 text-sm text-action wrap-anywhere hover:bg-select focus-visible:-outline-offset-2"
        >
          <Verbatim text={path} />
        </Link>
      </h3>
      <ol className="py-1">
        {lines.map(({ line, text }) => (
          <li key={line}>
            <Link
              to={fileUrl(projectId, path, { commit, from: line })}
              className="grid grid-cols-[2.75rem_minmax(0,1fr)] px-3 font-mono text-code hover:bg-select focus-visible:-outline-offset-2"
            >
              <span className="pr-3 text-right text-sm text-muted tabular-nums select-none">{line}</span>
              <span className="whitespace-pre-wrap wrap-anywhere">
                <Verbatim text={text} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </li>
  );
}
