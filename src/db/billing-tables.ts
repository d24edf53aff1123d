import type { InvoiceBuyer, InvoiceSeller, InvoiceTax } from '#contract/billing.ts';
import type { BillingPeriod, PlanValue } from '#contract/plans.ts';
import type { DefaultTimestamp, Json, Timestamp } from './columns.ts';

/** Details of a customer, for their next invoices. */
export interface BillingDetailsTable extends InvoiceBuyer {
  user_id: string;
  updated_at: DefaultTimestamp;
}

/** Last number of a year. Updated in the transaction that inserts the document, so that numbers have no gaps. */
export interface InvoiceCountersTable {
  year: number;
  last: number;
}

/** An invoice for a captured payment, or the credit note for its refund; they never change. */
export interface InvoicesTable {
  id: string;
  number: string;
  kind: 'invoice' | 'credit_note';
  user_id: string | null;
  payment_id: string;
  plan: PlanValue;
  period: BillingPeriod;
  currency: string;
  /** Including tax. */
  amount_minor: number;
  tax_minor: number;
  tax: Json<InvoiceTax>;
  seller: Json<InvoiceSeller>;
  buyer: Json<InvoiceBuyer>;
  issued_at: Timestamp;
}

/** Projects that their owner has chosen to stay writable over the limit of the plan. */
export interface WritableProjectsTable {
  project_id: string;
  user_id: string;
  chosen_at: Timestamp;
}
