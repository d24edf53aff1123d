import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { ApiInput } from '#contract/api.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { AnswerPlaceholder } from './answer-placeholder.tsx';
import { DebugForm } from './debug-form.tsx';
import { SessionInbox } from './inbox.tsx';
import { useDebugRequest } from './use-debug-request.ts';

/** `/debug`: request form and earlier sessions. */
export function Component() {
  const { t } = useTranslation('debug');
  const ask = useDebugRequest();
  const state = useLocation().state as { request?: ApiInput<'POST /debug'>['body'] } | null;
  return (
    <div className="bleed grid min-h-[calc(100vh-48px)] xl:grid-cols-[minmax(0,1fr)_372px]">
      <section className="max-w-[920px] px-(--page-x) py-(--page-y)">
        <PageHeader title={t('title')} lead={t('lead')} />
        <DebugForm ask={ask} initial={state?.request} />
        <AnswerPlaceholder step={ask.step} findings={ask.findings} onStop={ask.stop} />
      </section>
      <aside
        aria-label={t('inbox.title')}
        className="border-border bg-surface px-(--page-x) py-(--page-y) max-xl:border-t xl:border-l xl:px-5"
      >
        <SessionInbox />
      </aside>
    </div>
  );
}
