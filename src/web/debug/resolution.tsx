import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FixingCommit } from '#contract/debug.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { AgeTick, TimeAgo } from '../parts/age-mark.tsx';
import type { CitedLocation } from '../parts/citation.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { debugSessionKeys, errorKeys } from '../query-keys.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import { CollapsibleHunk } from './collapsible-hunk.tsx';

/** Later commit that changed the accused lines, to be confirmed or rejected as the fix. */
export function ResolutionSection({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const client = useQueryClient();
  const { resolution } = session;
  const decide = useMutation({
    mutationFn: (resolved: boolean) =>
      api('POST /debug/sessions/:id/resolution', {
        params: { id: session.id },
        body: { commit: resolution?.hash ?? '', resolved },
      }),
    onSuccess: () =>
      Promise.all(
        [debugSessionKeys.details, debugSessionKeys.all, errorKeys.all].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  if (!resolution) return null;
  const isSuggested = resolution.state === 'suggested';
  return (
    <section
      aria-labelledby="resolution"
      className="flex flex-col gap-2 rounded-md border border-border bg-surface px-3 py-2.5"
    >
      <h2 id="resolution" className="font-semibold">
        {t(isSuggested ? 'resolved.maybe' : 'resolved.by')}
      </h2>
      <FixingCommitView projectId={session.project_id} commit={resolution} />
      {isSuggested && (
        <div className="flex flex-wrap items-center gap-2">
          <Button kind="primary" loading={decide.isPending} onClick={() => decide.mutate(true)}>
            {t('resolved.yes')}
          </Button>
          <Button disabled={decide.isPending} onClick={() => decide.mutate(false)}>
            {t('resolved.no')}
          </Button>
          {decide.error && <span role="alert">{decide.error.message}</span>}
        </div>
      )}
    </section>
  );
}

/** Commit metadata with its hunk. */
function FixingCommitView({ projectId, commit }: { projectId: string; commit: FixingCommit }) {
  const now = useNow();
  const { hash, message, author, timestamp, path, hunk } = commit;
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <AgeTick timestamp={timestamp} now={now} />
        <b className="min-w-0 font-semibold wrap-anywhere">
          <Verbatim text={message} />
        </b>
        <span className="text-muted">
          <Verbatim text={author} />, <TimeAgo timestamp={timestamp} now={now} />
        </span>
        <CitationChip projectId={projectId} citation={{ kind: 'commit', hash }} />
      </div>
      <HunkFrame title={<Verbatim text={path} />}>
        <CollapsibleHunk hunk={hunk} path={path} timestamp={timestamp} now={now} />
      </HunkFrame>
    </>
  );
}

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

/** Earlier answer to the same or a similar error, with the commit that fixed it. */
export function SolvedEarlier({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const [shown, setShown] = useState(false);
  const [first] = session.answer.context.similar_errors;
  if (!first?.earlier_answer || !first.session_id) return null;
  const { earlier_answer: solved, similarity, hash, hunk } = first;
  return (
    <section
      aria-labelledby="solved"
      className="flex flex-col gap-2 rounded-md border border-border bg-surface px-3 py-2.5"
    >
      <h2 id="solved" className="font-semibold">
        {t(similarity === 1 ? 'solved.same' : 'solved.similar')}
      </h2>
      {solved.cause !== '' && solved.cause !== session.answer.root_cause?.text && (
        <p className="max-w-[68ch] wrap-anywhere">
          <CodeSpans text={solved.cause} />
        </p>
      )}
      {hash && hunk && (
        <p className="flex flex-wrap items-center gap-2">
          {t('resolved.by')}
          <CitationChip projectId={session.project_id} citation={{ kind: 'commit', hash }} />
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t(shown ? 'solved.hide' : 'solved.answer')}
        </Button>
        <ButtonLink to={`/debug/${first.session_id}`} size="small">
          {t('solved.open')}
        </ButtonLink>
      </div>
      {shown && (
        <MarkdownView text={solved.solution} projectId={session.project_id} references={NO_REFERENCES} />
      )}
    </section>
  );
}
