import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { formatPercent } from '../parts/format-percent.ts';
import type { Session } from './answer.tsx';

/** Accuracy of the claim in the back-test of the project, or the offer to measure it. */
export function TrustLine({ session: { project_id: id, answer } }: { session: Session }) {
  const { t, i18n } = useTranslation('debug');
  const { data } = useQuery(apiQuery('GET /projects/:id/backtest', { params: { id } }));
  if (!data || answer.abstained) return null;
  const claim = typeof answer.cause_confidence === 'number' ? 'cause' : 'place';
  const metrics = data.backtest?.metrics;
  const rate = claim === 'cause' ? metrics?.causes : metrics?.files;
  const text = rate?.case_count
    ? t(`trust.${claim}`, { percent: formatPercent(rate.at1, i18n.language), count: rate.case_count })
    : t('trust.measure');
  return (
    <Link to={`/projects/${id}/trust`} className="link">
      {text}
    </Link>
  );
}
