import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Invoice } from '#contract/billing.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { paymentKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';
import { formatMinor } from './format-amount.ts';

const PAGE_SIZE = 50;

/** Invoices and credit notes, newest first. */
export function InvoiceList() {
  const { t } = useTranslation('billing');
  const query = useInfiniteQuery({
    queryKey: paymentKeys.invoices,
    queryFn: ({ pageParam }) =>
      api('GET /payments/invoices', { query: { skip: String(pageParam), limit: String(PAGE_SIZE) } }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.has_more ? pages.length * PAGE_SIZE : null),
  });
  const invoices = query.data?.pages.flatMap((page) => page.invoices);
  return (
    <QueryState
      query={{ ...query, data: invoices }}
      loading={['60%', '60%']}
      empty={<p className="text-muted">{t('invoices.empty')}</p>}
    >
      {(list) => (
        <>
          <ul className="border-t border-border">
            {list.map((invoice) => (
              <InvoiceRow key={invoice.id} invoice={invoice} />
            ))}
          </ul>
          {query.hasNextPage && (
            <div>
              <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t('invoices.more')}
              </Button>
            </div>
          )}
        </>
      )}
    </QueryState>
  );
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { t, i18n } = useTranslation('billing');
  const { id, number, kind, issued_at } = invoice;
  const sign = kind === 'credit_note' ? -1 : 1;
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-1.5">
      <Link to={`/billing/invoices/${id}`} className="link">
        {number}
      </Link>
      <span className="min-w-24 flex-1">{t(`kind.${kind}`)}</span>
      <time dateTime={issued_at}>{formatLongDate(issued_at, i18n.language)}</time>
      <span className="tabular-nums sm:w-28 sm:text-right">
        {formatMinor(sign * invoice.amount_minor, invoice.currency, i18n.language)}
      </span>
    </li>
  );
}
