import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { InvoiceDocument } from '#contract/billing.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { formatMinor } from './format-amount.ts';

/** `/billing/invoices/:id`: an invoice or credit note, to be read and printed. */
export function Component() {
  const { t } = useTranslation(['billing', 'subscription']);
  const { id = '' } = useParams();
  const query = useQuery(apiQuery('GET /payments/invoices/:id', { params: { id } }));
  return (
    <QueryState query={query} title={t('kind.invoice')} loading={['40%', '60%', '60%']}>
      {(invoice) => <InvoiceView invoice={invoice} />}
    </QueryState>
  );
}

function InvoiceView({ invoice }: { invoice: InvoiceDocument }) {
  const { t, i18n } = useTranslation(['billing', 'subscription']);
  const { seller, buyer } = invoice;
  const country = buyer.country && regionName(buyer.country, i18n.language);
  return (
    <article className="max-w-[760px]">
      <PageHeader
        title={`${t(`kind.${invoice.kind}`)} ${invoice.number}`}
        breadcrumbs={
          <Link to="/settings/billing" className="link print:hidden">
            {t('title')}
          </Link>
        }
        actions={<Button onClick={() => window.print()}>{t('invoice.print')}</Button>}
      />
      <div className="mb-6 grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <Party
          title={t('invoice.from')}
          lines={[seller.name || 'Hindsight', seller.address, seller.tax_id]}
        />
        <Party title={t('invoice.to')} lines={[buyer.name, buyer.address, country, buyer.tax_id]} />
      </div>
      <DescriptionList
        items={{
          [t('invoice.date')]: formatLongDate(invoice.issued_at, i18n.language),
          ...(invoice.corrects && { [t('invoice.corrects')]: invoice.corrects }),
          [t('invoice.payment')]: <code>{invoice.gateway_payment_id}</code>,
        }}
      />
      <Amounts invoice={invoice} />
      <p className="mt-6 text-muted">{t(`invoice.note.${invoice.kind}`)}</p>
    </article>
  );
}

function Party({ title, lines }: { title: string; lines: string[] }) {
  const { t } = useTranslation('billing');
  const text = lines.filter(Boolean).join('\n');
  return (
    <section>
      <h2 className="mb-1 text-sm font-semibold">{title}</h2>
      <p className="wrap-anywhere whitespace-pre-line">{text || t('invoice.no_details')}</p>
    </section>
  );
}

function Amounts({ invoice }: { invoice: InvoiceDocument }) {
  const { t, i18n } = useTranslation(['billing', 'subscription']);
  const { tax, net_minor, tax_minor, amount_minor, currency } = invoice;
  const sign = invoice.kind === 'credit_note' ? -1 : 1;
  const money = (minor: number) => formatMinor(sign * minor, currency, i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 2 });
  const rows: [string, number][] = [
    [t(`subscription:order.${invoice.period}`), net_minor],
    ...(tax.percent > 0
      ? [[`${tax.name} ${percent.format(tax.percent / 100)}`, tax_minor] as [string, number]]
      : []),
  ];
  return (
    <table className="mt-6 w-full border-y border-border">
      <caption className="sr-only">{t('invoice.amounts')}</caption>
      <tbody>
        {rows.map(([name, minor]) => (
          <tr key={name} className="border-b border-border">
            <th scope="row" className="py-2 text-left font-normal">
              {name}
            </th>
            <td className="py-2 text-right tabular-nums">{money(minor)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row" className="py-2 text-left font-semibold">
            {t('invoice.total')}
          </th>
          <td className="py-2 text-right font-semibold tabular-nums">{money(amount_minor)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function regionName(code: string, language: string): string {
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code;
}
