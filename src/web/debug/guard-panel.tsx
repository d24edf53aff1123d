import type { ReactNode } from 'react';
import type { Guard } from '#contract/error-findings.ts';
import { firstLine } from '#contract/first-line.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CodeText } from '../parts/code-text.tsx';
import { useHighlightedText } from '../parts/highlight.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import type { Session } from './answer.tsx';
import { PanelFrame } from './panel-frame.tsx';

/** An error that is raised on purpose: its condition, the code that ran into it, and the commit behind the check. */
export function GuardPanel({ session, guard }: { session: Session; guard: Guard }) {
  const { t } = useTranslation('debug');
  const { caller, condition, commit, message } = guard;
  return (
    <PanelFrame label={t('guard.title')} title={<b className="font-semibold">{t('guard.title')}</b>}>
      <dl className="flex flex-col gap-3 p-3">
        {condition !== '' && (
          <GuardFact term={t('guard.condition')}>
            <CodeLines text={condition} path={guard.path} />
          </GuardFact>
        )}
        {message !== '' && (
          <GuardFact term={t('guard.message')}>
            <p className="font-mono text-code wrap-anywhere">
              <Verbatim text={message} max={600} />
            </p>
          </GuardFact>
        )}
        {caller && (
          <GuardFact term={t(caller.in_repository ? 'guard.caller' : 'guard.caller_outside')}>
            <GuardCaller session={session} caller={caller} />
          </GuardFact>
        )}
        {commit && (
          <GuardFact term={t('guard.commit')}>
            <GuardCommit projectId={session.project_id} commit={commit} />
          </GuardFact>
        )}
      </dl>
    </PanelFrame>
  );
}

function GuardFact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="mb-0.5 text-sm text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CodeLines({ text, path }: { text: string; path: string }) {
  const lines = useHighlightedText(text, path);
  return (
    <pre className="rounded-md bg-select px-2.5 py-1.5 font-mono text-code wrap-anywhere whitespace-pre-wrap">
      {lines.map((tokens, index) => (
        // Lines never move: the index is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <code key={index} className="block">
          <CodeText tokens={tokens} />
        </code>
      ))}
    </pre>
  );
}

function GuardCaller({ session, caller }: { session: Session; caller: NonNullable<Guard['caller']> }) {
  const { path, line, text, in_repository: isOwn } = caller;
  return (
    <div className="flex flex-col gap-1">
      <p>
        {isOwn && line !== null ? (
          <CitationChip
            projectId={session.project_id}
            citation={{ kind: 'file', path, from: line, to: line, commit: session.answer.indexed_commit }}
          />
        ) : (
          <span className="font-mono text-sm text-muted wrap-anywhere">
            <Verbatim text={line === null ? path : `${path}:${line}`} />
          </span>
        )}
      </p>
      {text !== '' && <CodeLines text={text} path={path} />}
    </div>
  );
}

function GuardCommit({ projectId, commit }: { projectId: string; commit: NonNullable<Guard['commit']> }) {
  const now = useNow();
  const { hash, message, author, timestamp } = commit;
  return (
    <p className="wrap-anywhere">
      <CitationChip projectId={projectId} citation={{ kind: 'commit', hash }} />{' '}
      <Verbatim text={firstLine(message)} />{' '}
      <span className="text-muted">
        <Verbatim text={author} />, <TimeAgo timestamp={timestamp} now={now} />
      </span>
    </p>
  );
}
