import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
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
  const hasPanels = usePanelData(query.data);
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
          <SettledAnswer key={session.id} session={session} isSettled={hasPanels} loading={loading} />
        </Suspense>
      )}
    </QueryState>
  );
}

interface SettledAnswerProps {
  session: Session;
  /** The data of its panels is there. */
  isSettled: boolean;
  loading: string[];
}

/** The answer together with its code, so that nothing moves. */
function SettledAnswer({ session, isSettled, loading }: SettledAnswerProps) {
  return isSettled ? <Answer session={session} /> : <Skeleton rows={loading} />;
}
