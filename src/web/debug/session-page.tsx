import { useQuery } from '@tanstack/react-query';
import { Suspense, useDeferredValue } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Answer, type Session } from './answer.tsx';
import { usePanelData } from './use-panel-data.ts';

/** `/debug/:id`: one debug session. */
export function Component() {
  const { t } = useTranslation('debug');
  const { id = '' } = useParams();
  const query = useQuery(apiQuery('GET /debug/sessions/:id', { params: { id } }));
  if (!query.data && query.error instanceof ApiError && query.error.code === 'not_found') {
    return (
      <>
        <PageHeader title={t('missing.title')} lead={t('missing.text')} />
        <ButtonLink to="/debug">{t('missing.back')}</ButtonLink>
      </>
    );
  }
  const loading = ['20%', '64%', '48%', '30%', '56%', '34%', '60%', '42%'];
  return (
    <QueryState query={query} title={t('title')} loading={loading}>
      {(session) => (
        <Suspense fallback={<Skeleton rows={loading} />}>
          <SettledAnswer key={session.id} session={session} loading={loading} />
        </Suspense>
      )}
    </QueryState>
  );
}

/** The answer together with its code, so that nothing moves, and rendered in slices. */
function SettledAnswer({ session, loading }: { session: Session; loading: string[] }) {
  const isSettled = useDeferredValue(usePanelData(session));
  return isSettled ? <Answer session={session} /> : <Skeleton rows={loading} />;
}
