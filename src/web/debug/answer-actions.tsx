import { SquarePen } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { formatAgentPrompt } from '../parts/agent-prompt.ts';
import { editorUrl } from '../parts/citation.ts';
import { FixActions } from '../parts/fix-actions.tsx';
import { formatPercent } from '../parts/format-percent.ts';
import { RevertButton } from '../parts/revert-button.tsx';
import { useClaimLabel } from '../parts/use-claim-label.ts';
import { useHeadline } from '../parts/use-headline.ts';
import { accusedCommit, statedProbabilities, verdictKind } from '../parts/verdict-claims.ts';
import { ButtonLink } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import type { FrameRange } from './answer-frames.ts';
import { formatAnswerMarkdown } from './answer-markdown.ts';
import { CopyMenu } from './copy-menu.tsx';
import { ProveButton } from './prove-button.tsx';
import { ResolveButton } from './resolve-button.tsx';

const FeedbackForm = lazyComponent(() => import('./feedback.tsx').then((module) => module.FeedbackForm), {
  early: true,
});

const LocalEditorLink = lazyComponent(() =>
  import('../parts/local-editor-link.tsx').then((module) => module.LocalEditorLink),
);

/** Actions of an answer in one row, feedback last. */
export function AnswerActions({ session, range }: { session: Session; range: FrameRange | null }) {
  const { t } = useTranslation(['debug', 'branches']);
  const markdown = useAnswerMarkdown(session, range);
  const suspect = accusedCommit(session.answer);
  const other = session.answer.other_project;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {other && (
        <ButtonLink
          kind="primary"
          to="/debug"
          state={{ request: { ...session.request, project_id: other.id, revision: null } }}
        >
          {t('actions.ask_there', { name: other.name })}
        </ButtonLink>
      )}
      {range && (
        <ButtonLink
          kind="primary"
          to={editorUrl(session.project_id, range.path, range)}
          state={{ from: `/debug/${session.id}` }}
        >
          <SquarePen aria-hidden className="size-4" />
          {t('fix.open_in_editor')}
        </ButtonLink>
      )}
      {range && (
        <Suspense>
          <LocalEditorLink
            project={{ id: session.project_id, name: session.project_name }}
            path={range.path}
            line={range.from}
          />
        </Suspense>
      )}
      {suspect && session.error.is_editable && (
        <RevertButton
          projectId={session.project_id}
          commit={suspect.hash}
          path={suspect.path}
          sessionId={session.id}
        />
      )}
      <ProveButton session={session} />
      <ResolveButton session={session} />
      <FixActions session={session} />
      <ButtonLink to={`/debug/${session.id}/compare`}>{t('actions.compare')}</ButtonLink>
      <CopyMenu
        label={t('actions.copy_markdown')}
        text={markdown}
        others={{
          [t('actions.copy_link')]: sessionUrl(session),
          [t('branches:fix.agent')]: formatAgentPrompt(session),
        }}
      />
      <FeedbackForm session={session} />
    </div>
  );
}

function sessionUrl({ id }: Session): string {
  return new URL(`/debug/${id}`, location.href).href;
}

function useAnswerMarkdown(session: Session, range: FrameRange | null): string {
  const { t, i18n } = useTranslation('debug');
  const headline = useHeadline()(session);
  const label = useClaimLabel();
  const { answer } = session;
  const kind = verdictKind(answer);
  const probabilities = statedProbabilities(answer).map(
    (stated) => `${label(stated)} ${formatPercent(stated.value, i18n.language)}`,
  );
  return formatAnswerMarkdown({
    headline,
    claims: [...(kind ? [t(`kind.${kind}`)] : []), ...probabilities],
    place: range && `${range.path}:${range.from}`,
    suspect: accusedCommit(answer),
    patch: answer.patch,
    url: sessionUrl(session),
    labels: {
      place: t('markdown.place'),
      suspect: t('step.suspect'),
      patch: t('fix.title'),
      source: t('markdown.source', { number: session.number, project: session.project_name }),
    },
  });
}
