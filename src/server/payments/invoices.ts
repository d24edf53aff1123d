import type { Kysely, Selectable, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Invoice, InvoiceBuyer, InvoiceDocument, InvoiceTax } from '#contract/billing.ts';
import { AppError } from '#contract/errors.ts';
import type { InvoicesTable } from '#db/billing-tables.ts';
import { newId } from '#db/ids.ts';
import type { Database, OrdersTable, PaymentsTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** Details of a customer who has entered none. */
const NO_DETAILS: InvoiceBuyer = { name: '', address: '', country: '', tax_id: '' };

/** Digits of a number, so that numbers of a year sort as text. */
const NUMBER_DIGITS = 6;

interface PaidOrder {
  order: Selectable<OrdersTable>;
  payment: Selectable<PaymentsTable>;
  now: Date;
}

/**
 * Issues the invoice of a captured payment or the credit note of a refunded one. Called in the transaction that moves the
 * state of the payment forward, which happens once for each.
 */
export async function issueInvoice(
  { db, config }: Pick<Deps, 'config'> & { db: Transaction<Database> },
  { order, payment, now }: PaidOrder,
): Promise<{ id: string; userId: string | null }> {
  const { seller, tax } = config.invoicing;
  const kind = payment.state === 'refunded' ? 'credit_note' : 'invoice';
  const original = kind === 'credit_note' ? await findInvoiceOf(db, payment.id) : null;
  const values = original ?? {
    seller,
    tax,
    buyer: await loadBillingDetails(db, order.user_id),
    tax_minor: includedTax(order.amount_minor, tax),
  };
  const id = newId();
  await db
    .insertInto('invoices')
    .values({
      id,
      number: await takeNumber(db, now.getUTCFullYear()),
      kind,
      user_id: order.user_id,
      payment_id: payment.id,
      plan: order.plan,
      period: order.period,
      currency: order.currency,
      amount_minor: order.amount_minor,
      tax_minor: values.tax_minor,
      tax: JSON.stringify(values.tax),
      seller: JSON.stringify(values.seller),
      buyer: JSON.stringify(values.buyer),
      issued_at: now,
    })
    .execute();
  return { id, userId: order.user_id };
}

/** Tax in an amount that includes it, rounded to the smallest unit. */
export function includedTax(amountMinor: number, { percent }: Pick<InvoiceTax, 'percent'>): number {
  return amountMinor - Math.round((amountMinor * 100) / (100 + percent));
}

/** Takes the next number of a year. The row stays locked until the transaction ends, so that none is left out. */
async function takeNumber(db: Transaction<Database>, year: number): Promise<string> {
  const { last } = await db
    .insertInto('invoice_counters')
    .values({ year, last: 1 })
    .onConflict((conflict) => conflict.column('year').doUpdateSet({ last: sql`invoice_counters.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow();
  return `${year}-${String(last).padStart(NUMBER_DIGITS, '0')}`;
}

async function findInvoiceOf(db: Kysely<Database>, paymentId: string) {
  const row = await db
    .selectFrom('invoices')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'invoice')
    .executeTakeFirst();
  return row ?? null;
}

/** Loads the details of a customer for their next invoices. */
export async function loadBillingDetails(db: Kysely<Database>, userId: string | null): Promise<InvoiceBuyer> {
  if (userId === null) return NO_DETAILS;
  const row = await db
    .selectFrom('billing_details')
    .select(['name', 'address', 'country', 'tax_id'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? NO_DETAILS;
}

/** Lists a page of a user's invoices and credit notes, newest first. */
export async function listInvoices(
  db: Kysely<Database>,
  userId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ invoices: Invoice[]; has_more: boolean }> {
  const rows = await db
    .selectFrom('invoices')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('issued_at', 'desc')
    .orderBy('id', 'desc')
    .offset(skip)
    .limit(limit + 1)
    .execute();
  return { invoices: rows.slice(0, limit).map(presentInvoice), has_more: rows.length > limit };
}

/** Loads an invoice of a user. Throws `not_found`. */
export async function loadInvoice(
  db: Kysely<Database>,
  userId: string,
  invoiceId: string,
): Promise<InvoiceDocument> {
  const row = await db
    .selectFrom('invoices as i')
    .innerJoin('payments as p', 'p.id', 'i.payment_id')
    .selectAll('i')
    .select('p.gateway_payment_id')
    .where('i.user_id', '=', userId)
    .where('i.id', '=', invoiceId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'invoice_not_found');
  const { tax, seller, buyer, gateway_payment_id, kind, payment_id } = row;
  const original = kind === 'credit_note' ? await findInvoiceOf(db, payment_id) : null;
  return {
    ...presentInvoice(row),
    ...{ tax, seller, buyer, gateway_payment_id },
    corrects: original?.number ?? null,
  };
}

function presentInvoice(row: Selectable<InvoicesTable>): Invoice {
  const { id, number, kind, plan, period, currency, amount_minor, tax_minor, payment_id } = row;
  return {
    ...{ id, number, kind, plan, period, currency, amount_minor, tax_minor, payment_id },
    net_minor: amount_minor - tax_minor,
    issued_at: row.issued_at.toISOString(),
  };
}
