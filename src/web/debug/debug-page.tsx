import { Suspense, useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { useProjects } from '../parts/use-project.ts';
import { ErrorInbox } from '../project-tabs.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AnswerPlaceholder } from './answer-placeholder.tsx';
import { DebugForm } from './debug-form.tsx';
import { type DebugRequest, useDebugRequest } from './use-debug-request.ts';

const ConnectForm = lazyComponent(() =>
  import('../parts/connect-form.tsx').then((module) => module.ConnectForm),
);

/** State with which other pages open the form. */
interface FormState {
  request?: DebugRequest;
  /** Sends the request at once. */
  start?: boolean;
  /** No project matched the error, so that the reader has to choose one. */
  choose_project?: boolean;
}

/** `/debug`: request form, and the errors of all projects. */
export function Component() {
  const { t } = useTranslation('debug');
  const ask = useDebugRequest();
  const { data: projects } = useProjects();
  const { state, search } = useLocation() as { state: FormState | null; search: string };
  const navigate = useNavigate();
  const start = useEffectEvent(() => {
    const { start: isStart, ...rest } = state ?? {};
    if (!isStart || !rest.request) return;
    // Reload and Back show the form instead of asking again.
    void navigate({ search }, { replace: true, state: rest });
    ask.mutate(rest.request);
  });
  useEffect(() => start(), []);
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <ListingPage
        aside={
          projects?.length === 0 ? (
            <section id="connect" aria-label={t('form.connect')}>
              <h2 className="mb-4 text-answer">{t('form.connect')}</h2>
              <Suspense fallback={<Skeleton rows={['30%', '100%', '20%', '100%']} />}>
                <ConnectForm submitLabel={t('form.connect')} />
              </Suspense>
            </section>
          ) : (
            <AnswerPlaceholder step={ask.step} findings={ask.findings} onStop={ask.stop} />
          )
        }
      >
        <DebugForm ask={ask} initial={state?.request} choosesProject={state?.choose_project === true} />
      </ListingPage>
      <div className="mt-10 max-w-[92rem]">
        <Suspense fallback={<Skeleton rows={['82%', '64%', '76%', '58%']} />}>
          <ErrorInbox />
        </Suspense>
      </div>
    </>
  );
}
