import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { SimilarError } from '#contract/debug.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { TimeAgo } from '../parts/age-mark.tsx';
import { issueUrl } from '../parts/citation.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { formatPercent } from '../parts/format-percent.ts';
import { IssueMark } from '../parts/issue-mark.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import type { Session } from './answer.tsx';
import { AsideSection } from './aside-section.tsx';
import { FixOutcomeLabel } from './fix-outcome-label.tsx';
import { NextContacts } from './next-contacts.tsx';

const CommitIssues = lazyComponent(() =>
  import('../parts/commit-issues.tsx').then((module) => module.CommitIssues),
);

const MAX_SIMILAR = 2;
const MAX_COLLAPSED_LINES = 9;

/** Side column of an answer: similar errors, advice, people, tests, related sessions and the error text. */
export function AnswerAside({ session }: { session: Session }) {
  const { t, i18n } = useTranslation('debug');
  const { answer, request, project_id } = session;
  const { similar_errors: similar, code_suggestions: advice } = answer.context;
  const shown = similar.slice(0, MAX_SIMILAR);
  return (
    <aside aria-label={t('supporting_evidence')} className="flex min-w-0 flex-col gap-6">
      {shown.length > 0 && (
        <AsideSection
          title={t('similar')}
          note={similar.length > shown.length ? t('of', { shown: shown.length, all: similar.length }) : null}
        >
          <ul>
            {shown.map((item) => (
              <SimilarRow
                key={item.session_id ?? (item.issue ? `#${item.issue.number}` : (item.hash ?? item.content))}
                projectId={project_id}
                item={item}
              />
            ))}
          </ul>
        </AsideSection>
      )}
      {advice.length > 0 && (
        <AsideSection title={t('best_practices')}>
          <ul className="border-t border-border">
            {advice.map((text) => (
              <li key={text} className="border-b border-border py-2">
                <CodeSpans text={text} />
              </li>
            ))}
          </ul>
        </AsideSection>
      )}
      <NextContacts session={session} />
      <AsideSection title={t('reported_error')} note={<CopyButton text={request.error_message} />}>
        <CollapsibleError text={request.error_message} />
      </AsideSection>
      <p className="text-sm whitespace-nowrap text-muted">
        {t('took', { value: new Intl.NumberFormat(i18n.language).format(Math.round(answer.took_ms)) })}
      </p>
    </aside>
  );
}

/** Marker lines such as `~~~^^^`, which mean nothing once the line above wraps. */
const POINTER_LINES = /^[ \t]*[~^]+[ \t]*\n/gm;

function CollapsibleError({ text: error }: { text: string }) {
  const { t } = useTranslation('debug');
  const text = error.replace(POINTER_LINES, '');
  const [expanded, setExpanded] = useState(false);
  const long = text.split('\n').length > MAX_COLLAPSED_LINES || text.length > 600;
  return (
    <>
      <pre
        className={`border-l-2 border-border pl-2.5 text-sm wrap-anywhere whitespace-pre-wrap ${long && !expanded ? 'max-h-[162px] overflow-hidden' : ''}`}
      >
        <Verbatim text={text} max={expanded ? text.length : undefined} />
      </pre>
      {long && (
        <button
          type="button"
          aria-expanded={expanded}
          className="link mt-1 text-sm"
          onClick={() => setExpanded(!expanded)}
        >
          {t(expanded ? 'show_less' : 'show_more')}
        </button>
      )}
    </>
  );
}

function SimilarRow({ projectId, item }: { projectId: string; item: SimilarError }) {
  const { t, i18n } = useTranslation('debug');
  const now = useNow();
  return (
    <li className="border-t border-border py-2">
      <p className="line-clamp-3 wrap-anywhere">
        {item.issue && (
          <span className="mr-1.5 inline-flex items-baseline gap-1">
            <IssueMark state={item.issue.state} />
            <Link to={issueUrl(projectId, item.issue)} className="link">
              #{item.issue.number}
            </Link>
          </span>
        )}
        <Verbatim text={item.content} />
      </p>
      {item.hash && !item.issue && (
        <Suspense>
          <CommitIssues projectId={projectId} hash={item.hash} />
        </Suspense>
      )}
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2 gap-y-1 text-muted">
        {item.hash && <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: item.hash }} />}
        {item.session_id && (
          <Link to={`/debug/${item.session_id}`} className="link">
            {t('earlier_session')}
          </Link>
        )}
        <span>{t('similarity', { percent: formatPercent(item.similarity, i18n.language) })}</span>
        {item.outcome && <FixOutcomeLabel outcome={item.outcome} />}
      </p>
      {(item.author || item.path) && (
        <p className="mt-0.5 text-muted wrap-anywhere">
          {item.author && <Verbatim text={item.author} />}
          {item.author && item.timestamp && ', '}
          {item.timestamp && <TimeAgo timestamp={item.timestamp} now={now} />}
          {item.path && (
            <span className="block font-mono text-sm">
              <Verbatim text={item.path} />
            </span>
          )}
        </p>
      )}
    </li>
  );
}
