import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { ScopedProject, SearchResult } from '#contract/search-results.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { CodeText } from '../parts/code-text.tsx';
import { CommitChanges, CommitHeader } from '../parts/commit-changes.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { useHighlightedText } from '../parts/highlight.ts';
import { stripMarkdown } from '../parts/markdown-plain.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { ButtonLink, IconButton } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { MATCH_CLASS } from './code-fragment.tsx';
import { resultUrl } from './result-url.ts';

const IssueView = lazyComponent(() => import('../parts/issue-view.tsx').then((module) => module.IssueView));

interface PreviewPaneProps {
  result: SearchResult;
  projects: ScopedProject[];
  onClose: () => void;
}

/** The selected result with what is around it: its file, its commit, or the answer's cause. */
export function PreviewPane({ result, projects, onClose }: PreviewPaneProps) {
  const { t } = useTranslation('search');
  const title = 'path' in result ? result.path : 'hash' in result ? result.hash.slice(0, 7) : result.title;
  return (
    <section
      aria-label={t('preview')}
      className="flex h-full min-w-0 flex-col border-l border-border bg-surface"
    >
      <header className="flex min-h-10 items-center gap-2 border-b border-border py-1 pr-1 pl-3">
        <h2 className="min-w-0 flex-1 truncate font-mono text-sm font-medium" title={title}>
          <Verbatim text={title} max={300} />
        </h2>
        {'path' in result && <CopyButton text={result.path} label={t('copy_path')} />}
        <ButtonLink to={resultUrl(result, projects)} size="small">
          {t('open')}
        </ButtonLink>
        <IconButton
          label={t('close_preview')}
          icon={<X aria-hidden className="size-4" />}
          onClick={onClose}
        />
      </header>
      {/* A region that scrolls is reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <div data-pane className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2" tabIndex={0}>
        <PreviewBody result={result} projects={projects} />
      </div>
    </section>
  );
}

function PreviewBody({ result, projects }: Omit<PreviewPaneProps, 'onClose'>) {
  switch (result.kind) {
    case 'code':
    case 'symbol':
    case 'file':
      return <FilePreview result={result} projects={projects} />;
    case 'commit':
    case 'change':
      return <CommitPreview projectId={result.project_id} hash={result.hash} />;
    case 'error':
      return (
        <div className="flex flex-col gap-3 p-4">
          <StateMark state={result.state} />
          <p className="font-mono text-code wrap-anywhere">
            <Verbatim text={result.title} />
          </p>
          {result.cause && (
            <p className="max-w-[68ch]">
              <Verbatim text={result.cause} />
            </p>
          )}
        </div>
      );
    case 'issue':
      return (
        <Suspense>
          <IssueView
            projectId={result.project_id}
            number={result.number}
            isRequest={result.issue_kind === 'pull_request'}
          />
        </Suspense>
      );
    case 'chat':
      return (
        <p className="max-w-[68ch] p-4 wrap-anywhere">
          <Verbatim text={result.excerpt ? stripMarkdown(result.excerpt).join(' ') : result.title} />
        </p>
      );
  }
}

type FileResult = Extract<SearchResult, { kind: 'code' | 'symbol' | 'file' }>;

function FilePreview({ result, projects }: { result: FileResult; projects: ScopedProject[] }) {
  const commit = projects.find(({ id }) => id === result.project_id)?.commit ?? undefined;
  const file = useQuery({
    ...apiQuery('GET /projects/:id/text/*', {
      params: { id: result.project_id, '*': result.path },
      query: commit ? { ref: commit } : {},
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryState query={file} errorClassName="m-3" loading={<div className="h-full" />}>
      {(reply) => <FileLines key={`${result.project_id}${result.path}`} file={reply} result={result} />}
    </QueryState>
  );
}

/** Lines before and after the match that are shown. */
const CONTEXT = { before: 120, after: 280 };

function FileLines({ file, result }: { file: ApiReply<'GET /projects/:id/text/*'>; result: FileResult }) {
  const { t } = useTranslation('search');
  const target = useRef<HTMLDivElement>(null);
  const line = result.kind === 'file' ? 1 : result.line;
  const last = result.kind === 'symbol' ? result.to_line : line;
  const all = file.text.replace(/\n$/, '').split('\n');
  const from = Math.max(0, line - 1 - CONTEXT.before);
  const shown = all.slice(from, line + CONTEXT.after);
  const tokens = useHighlightedText(shown.join('\n'), file.path);
  const marks = marksByLine(result);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another match of the same file scrolls as well.
  useEffect(() => centerInPane(target.current), [line]);
  return (
    <div className="py-1 font-mono text-code">
      {from > 0 && <p className="px-3 font-sans text-sm text-muted">{t('lines_before', { count: from })}</p>}
      {shown.map((text, index) => {
        const number = from + index + 1;
        const isMatch = result.kind !== 'file' && number >= line && number <= last;
        return (
          <div
            key={number}
            ref={number === line ? target : undefined}
            className={isMatch ? 'flex bg-select' : 'flex'}
          >
            <span className="w-14 shrink-0 pr-3 text-right text-sm leading-5 text-muted tabular-nums select-none">
              {number}
            </span>
            <code className="min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap">
              <CodeText
                tokens={tokens[index] ?? []}
                marks={{
                  ranges: (marks.get(number) ?? []).filter(([, to]) => to <= text.length),
                  className: MATCH_CLASS,
                }}
              />
            </code>
          </div>
        );
      })}
      {from + shown.length < all.length && (
        <p className="px-3 font-sans text-sm text-muted">
          {t('lines_after', { count: all.length - from - shown.length })}
        </p>
      )}
    </div>
  );
}

/** Scrolls the pane, and not the page around it. */
function centerInPane(row: HTMLElement | null): void {
  const pane = row?.closest('[data-pane]');
  if (!row || !pane) return;
  const offset = row.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  pane.scrollTop += offset - pane.clientHeight / 3;
}

function marksByLine(result: FileResult): Map<number, [number, number][]> {
  if (result.kind !== 'code') return new Map();
  return new Map(
    result.fragments.flatMap(({ start, lines }) =>
      // A cut line has other offsets than the file.
      lines.flatMap(({ text, marks }, index): [number, [number, number][]][] =>
        text.startsWith('…') ? [] : [[start + index, marks]],
      ),
    ),
  );
}

function CommitPreview({ projectId, hash }: { projectId: string; hash: string }) {
  const commit = useQuery({
    ...apiQuery('GET /projects/:id/commits/:sha', { params: { id: projectId, sha: hash }, query: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryState query={commit} errorClassName="m-3" loading={<div className="h-full" />}>
      {(reply) => (
        <div className="flex flex-col gap-5 p-4">
          <CommitHeader commit={reply} heading="h2" />
          <CommitChanges projectId={projectId} commit={reply} />
        </div>
      )}
    </QueryState>
  );
}
