import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { BillingDetailsForm } from './billing-details-form.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { UsageSection } from './usage-section.tsx';
import { WritableProjects } from './writable-projects.tsx';

/** `/settings/billing`: usage of the plan, writable projects, details for invoices, and invoices. */
export function Component() {
  const { t } = useTranslation('billing');
  const usage = useQuery(apiQuery('GET /payments/usage'));
  const details = useQuery(apiQuery('GET /payments/billing-details'));
  return (
    <div className="max-w-[760px]">
      <PageHeader
        title={t('title')}
        breadcrumbs={
          <Link to="/settings" className="link">
            {t('settings')}
          </Link>
        }
      />
      <Section
        title={t('usage.title')}
        lead={
          <a href="/subscription" className="link">
            {t('usage.plans')}
          </a>
        }
      >
        <QueryState query={usage} loading={['60%', '48%', '54%']}>
          {(data) => <UsageSection usage={data} />}
        </QueryState>
      </Section>
      {usage.data &&
        usage.data.projects.limit !== null &&
        usage.data.owned.length > usage.data.projects.limit && (
          <Section
            title={t('writable.title')}
            lead={t('writable.lead', { limit: usage.data.projects.limit })}
          >
            <WritableProjects usage={usage.data} limit={usage.data.projects.limit} />
          </Section>
        )}
      <Section title={t('details.title')} lead={t('details.lead')}>
        <QueryState query={details} loading={['60%', '60%', '40%']}>
          {(data) => <BillingDetailsForm details={data} />}
        </QueryState>
      </Section>
      <Section title={t('invoices.title')}>
        <InvoiceList />
      </Section>
    </div>
  );
}
