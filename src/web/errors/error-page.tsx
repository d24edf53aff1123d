import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import type { ErrorDetail } from '#contract/error-groups.ts';
import { ApiError } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { ErrorAside } from './error-aside.tsx';
import { ErrorHeader } from './error-header.tsx';
import { ErrorOccurrences } from './error-occurrences.tsx';
import { ErrorVerdict } from './error-verdict.tsx';
import { EventSection } from './event-section.tsx';
import { DeleteAction, MergeAction, TriageActions } from './triage-actions.tsx';
import { useErrorKeys } from './use-error-keys.ts';
import { useTriage } from './use-triage.ts';

const TriageDialogs = lazyComponent(() =>
  import('./triage-dialogs.tsx').then((module) => module.TriageDialogs),
);

const WatchButton = lazyComponent(() =>
  import('../parts/watch-button.tsx').then((module) => module.WatchButton),
);

/** Time between two looks for an answer that is on its way. */
const POLL_INTERVAL_MS = 5_000;

/** `/projects/:id/errors/:error`: an error with its occurrences, its answer and its events. */
export function Component() {
  // The texts of the answer too: it arrives later, and a text that loads then hides the page for a moment.
  const { t } = useTranslation(['errors-page', 'debug']);
  const { id = '', error = '' } = useParams();
  const query = useQuery({
    ...apiQuery('GET /projects/:id/errors/:error', { params: { id, error } }),
    refetchInterval: ({ state }) =>
      state.data && /waiting|running/.test(state.data.error.investigation) ? POLL_INTERVAL_MS : false,
  });
  if (!query.data && query.error instanceof ApiError && query.error.code === 'not_found') {
    return (
      <>
        <PageHeader title={t('missing.title')} lead={t('missing.text')} />
        <ButtonLink to={`/projects/${id}/errors`}>{t('missing.back')}</ButtonLink>
      </>
    );
  }
  const loading = ['20%', '64%', '48%', '30%', '56%', '34%', '60%', '42%'];
  return (
    <QueryState query={query} title={t('title')} loading={loading}>
      {(detail) =>
        // An error that was merged has the page of the other.
        detail.error.id === error ? (
          <ErrorView key={error} detail={detail} />
        ) : (
          <Navigate to={`/projects/${id}/errors/${detail.error.id}`} replace />
        )
      }
    </QueryState>
  );
}

function ErrorView({ detail }: { detail: ErrorDetail }) {
  const { t } = useTranslation('errors-page');
  const navigate = useNavigate();
  const { error, is_editable: isEditable } = detail;
  const triage = useTriage();
  const errors = [error];
  const list = `/projects/${error.project_id}/errors`;
  useErrorKeys(
    (): Record<string, () => unknown> =>
      isEditable
        ? {
            e: () => triage.toggleSolved(errors),
            a: () => triage.ask('assign', errors),
            s: () => triage.ask('snooze', errors),
            i: () => triage.change(errors, { state: error.state === 'ignored' ? 'open' : 'ignored' }),
            m: () => triage.ask('merge', errors),
          }
        : {},
  );
  return (
    <EvidenceProvider projectId={error.project_id}>
      <ErrorHeader error={error} />
      <div className="mb-4 flex min-h-8 flex-wrap items-center gap-2">
        {isEditable && (
          <>
            <TriageActions errors={errors} triage={triage} />
            <MergeAction errors={errors} triage={triage} label={t('actions.merge_with')} />
            <DeleteAction errors={errors} triage={triage} />
          </>
        )}
        <Suspense>
          <WatchButton subject={{ project_id: error.project_id, kind: 'error', value: error.id }} />
        </Suspense>
      </div>
      {triage.error && (
        <Notice kind="error" className="mb-4" onRetry={triage.retry}>
          {triage.error.message}
        </Notice>
      )}
      <ListingPage aside={<ErrorAside detail={detail} />}>
        <div className="flex flex-col gap-6">
          <ErrorOccurrences detail={detail} />
          <ErrorVerdict detail={detail} />
          <EventSection detail={detail} />
        </div>
      </ListingPage>
      {triage.dialog && (
        <Suspense fallback={null}>
          <TriageDialogs
            triage={triage}
            onMerged={(id) => void navigate(`${list}/${id}`, { replace: true })}
            onDeleted={() => void navigate(list, { replace: true })}
          />
        </Suspense>
      )}
    </EvidenceProvider>
  );
}
