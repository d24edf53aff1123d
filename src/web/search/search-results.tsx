import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { CommitRow } from '../parts/commit-row.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { useBranchFlag } from '../parts/working-branch.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryState } from '../ui/query-state.tsx';

type SearchReply = ApiReply<'GET /search'>;

const SKELETON_ROWS = ['38%', '72%', '64%', '30%', '58%', '70%'];

/** Matching code passages and commits of one project. */
export function SearchResults({ projectId, q }: { projectId: string; q: string }) {
  const { t } = useTranslation('search');
  const working_branch = useBranchFlag(projectId);
  const found = useQuery(apiQuery('GET /search', { query: { q, project_id: projectId, working_branch } }));
  return (
    <QueryState
      query={found}
      showStaleError
      loading={SKELETON_ROWS}
      empty={<EmptyState title={t('nothing', { q })}>{t('nothing_text')}</EmptyState>}
      isEmpty={({ passages, commits }) => passages.length + commits.length === 0}
    >
      {(reply) => <ResultGroups projectId={projectId} reply={reply} />}
    </QueryState>
  );
}

function ResultGroups({ projectId, reply }: { projectId: string; reply: SearchReply }) {
  const { t } = useTranslation('search');
  const { passages, commits } = reply;
  return (
    <>
      <p role="status" className="mb-4 flex flex-wrap gap-x-4 text-muted">
        <a href="#code" className="link">
          {t('passages', { count: passages.length })}
        </a>
        <a href="#commits" className="link">
          {t('commits_found', { count: commits.length })}
        </a>
        <span>{t('took', { ms: Math.ceil(reply.took_ms) })}</span>
      </p>
      {passages.length > 0 && <PassageResults projectId={projectId} found={reply} />}
      {commits.length > 0 && <CommitResults projectId={projectId} commits={commits} />}
    </>
  );
}

function PassageResults({ projectId, found }: { projectId: string; found: SearchReply }) {
  const { t } = useTranslation('search');
  return (
    <section id="code" className="mb-8 scroll-mt-16">
      <h2 className="mb-2">{t('code')}</h2>
      <ol className="flex flex-col gap-3">
        {found.passages.map((passage) => (
          <li
            key={`${passage.path}:${passage.start_line}`}
            className="overflow-hidden rounded-md border border-border bg-surface"
          >
            <Link
              to={fileUrl(projectId, passage.path, {
                commit: found.commit,
                from: passage.start_line,
                to: passage.end_line,
              })}
              className="flex flex-wrap justify-between gap-x-4 border-b border-border px-3 py-1.5 font-mono text-sm text-action hover:bg-select focus-visible:-outline-offset-2"
            >
              <span className="wrap-anywhere">
                <Verbatim text={passage.path} />
                <span className="text-muted">
                  :{passage.start_line}-{passage.end_line}
                </span>
              </span>
              {passage.symbol && (
                <span className="wrap-anywhere text-foreground">
                  <Verbatim text={passage.symbol} />
                </span>
              )}
            </Link>
            <Snippet text={passage.snippet} first={passage.snippet_start_line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Snippet({ text, first }: { text: string; first: number }) {
  return (
    <div className="py-1 font-mono text-code">
      {text
        .trimEnd()
        .split('\n')
        .map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number of a line is its identity.
          <div key={first + index} className="flex">
            <span aria-hidden="true" className="w-14 shrink-0 pr-3 text-right text-sm text-muted select-none">
              {first + index}
            </span>
            <code className="min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap">
              <Verbatim text={line || ' '} />
            </code>
          </div>
        ))}
    </div>
  );
}

function CommitResults({ projectId, commits }: { projectId: string; commits: SearchReply['commits'] }) {
  const { t } = useTranslation('search');
  const now = useNow();
  return (
    <section id="commits" className="scroll-mt-16">
      <h2 className="mb-2">{t('commits')}</h2>
      <ol className="border-t border-border">
        {commits.map((hit) => (
          <CommitRow
            key={hit.hash}
            projectId={projectId}
            now={now}
            commit={{ ...hit, id: hit.hash, files_changed: [] }}
          />
        ))}
      </ol>
    </section>
  );
}
