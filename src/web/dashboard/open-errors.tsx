import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { ErrorRow } from '../parts/error-row.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { HomeSection } from './home-section.tsx';
import { isNewSince, NewBadge } from './new-badge.tsx';

interface OpenErrorsProps {
  errors: UseQueryResult<ApiReply<'GET /errors'>, Error>;
  /** Time of the last visit in milliseconds. */
  since: number | null;
}

/** Unsolved errors, last seen first; those that are new or came back since the last visit are marked. */
export function OpenErrors({ errors, since }: OpenErrorsProps) {
  const { t, i18n } = useTranslation('home');
  const counts = errors.data?.counts;
  const unsolved = counts ? counts.open + counts.regressed : 0;
  return (
    <HomeSection
      title={t('errors.title')}
      aside={
        <Link to="/debug" className="link">
          {t('errors.all', { count: unsolved, value: new Intl.NumberFormat(i18n.language).format(unsolved) })}
        </Link>
      }
    >
      <QueryState
        query={errors}
        errorClassName="mt-3"
        loading={['76%', '58%', '68%']}
        isEmpty={(data) => data.errors.length === 0}
        empty={
          <p className="py-3 text-muted">{t(counts && counts.solved > 0 ? 'errors.none' : 'errors.never')}</p>
        }
      >
        {(data) => (
          <ul>
            {data.errors.map((error) => (
              <li key={error.id} className="border-b border-border">
                <ErrorRow error={error} badge={<NewBadge isNew={isNewError(error, since)} />} />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </HomeSection>
  );
}

function isNewError({ state, first_seen, state_changed_at }: ErrorGroup, since: number | null): boolean {
  return isNewSince(first_seen, since) || (state === 'regressed' && isNewSince(state_changed_at, since));
}
