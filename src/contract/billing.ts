import { z } from 'zod';
import { email } from './account.ts';
import { id, MAX_LIST, MAX_PAGE, okReply, paging, timestamp } from './common.ts';
import { BILLING_PERIODS, PLAN_VALUES } from './plans.ts';
import { route } from './route.ts';

/** Text of one line; the control characters of the rest could forge lines of an email or a document. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^\P{Cc}*$/u, 'one_line');

/** Text of several lines. */
const lines = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[\P{Cc}\n\r\t]*$/u, 'plain_text');

const buyer = z.object({
  /** Person or company; empty as long as nothing is entered, as are the others. */
  name: line(200),
  address: lines(500),
  /** ISO 3166-1 alpha-2, such as `DE`. */
  country: z.string().regex(/^(?:[A-Z]{2})?$/, 'country_code'),
  /** VAT, GST or other number. */
  tax_id: line(50),
});
/** The customer on an invoice. */
export type InvoiceBuyer = z.infer<typeof buyer>;

const seller = z.object({ name: z.string(), address: z.string(), tax_id: z.string() });
/** The operator on an invoice. */
export type InvoiceSeller = z.infer<typeof seller>;

const tax = z.object({ name: z.string(), percent: z.number() });
/** Tax that is included in the amount. */
export type InvoiceTax = z.infer<typeof tax>;

const invoice = z.object({
  id: z.string(),
  /** `2026-000001`; numbers of a year have no gaps. */
  number: z.string(),
  kind: z.enum(['invoice', 'credit_note']),
  issued_at: timestamp,
  plan: z.enum(PLAN_VALUES),
  period: z.enum(BILLING_PERIODS),
  currency: z.string(),
  /** Including tax, in the smallest unit: `net_minor + tax_minor`. */
  amount_minor: z.number(),
  net_minor: z.number(),
  tax_minor: z.number(),
  payment_id: z.string(),
});
export type Invoice = z.infer<typeof invoice>;

const invoiceDocument = invoice.extend({
  tax,
  seller,
  buyer,
  gateway_payment_id: z.string(),
  /** Of a credit note: number of its invoice. */
  corrects: z.string().nullable(),
});
export type InvoiceDocument = z.infer<typeof invoiceDocument>;

const meter = z.object({
  used: z.number(),
  /** Null where there is none: in a plan without one, and on a server without payments. */
  limit: z.number().nullable(),
});

const projectUsage = z.object({
  id: z.string(),
  name: z.string(),
  created_at: timestamp,
  /** Commits of its history, and how many of them the plan shows. */
  commits: z.number(),
  commits_shown: z.number(),
  /** True while it exceeds the plan: it can be read, but not changed. */
  read_only: z.boolean(),
  /** True when the owner has chosen it to stay writable. */
  chosen: z.boolean(),
});

const usage = z.object({
  /** The plan whose limits apply. */
  plan: z.enum(PLAN_VALUES),
  /** Calendar month (UTC) in which answers are counted. */
  period: z.object({ from: timestamp, until: timestamp }),
  projects: meter,
  /** Commits shown of all projects. The limit counts for each project: `limit` commits or `days` days, whichever shows more. */
  commits: z.object({
    shown: z.number(),
    total: z.number(),
    limit: z.number().nullable(),
    days: z.number().nullable(),
  }),
  /** Answers to questions and errors. */
  answers: meter,
  /** Owned projects, newest first. */
  owned: z.array(projectUsage).max(MAX_LIST),
  /** Time from which the choice of writable projects can be changed again; null for now. */
  choice_locked_until: timestamp.nullable(),
});
export type PlanUsage = z.infer<typeof usage>;

export const billingRoutes = {
  usage: route({
    method: 'GET',
    path: '/payments/usage',
    summary: 'Get what the signed-in user uses of their plan: projects, commits shown, answers this month',
    reply: usage,
  }),
  chooseProjects: route({
    method: 'PUT',
    path: '/payments/writable-projects',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Choose which owned projects stay writable over the limit of the plan; the others are read-only',
    body: z.object({ project_ids: z.array(id).max(100) }),
    reply: usage,
  }),
  details: route({
    method: 'GET',
    path: '/payments/billing-details',
    summary: 'Get name, address, country and tax number for invoices',
    reply: buyer,
  }),
  saveDetails: route({
    method: 'PUT',
    path: '/payments/billing-details',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Set name, address, country and tax number for the next invoices',
    body: buyer,
    reply: buyer,
  }),
  invoices: route({
    method: 'GET',
    path: '/payments/invoices',
    summary: 'List invoices and credit notes of the signed-in user, newest first',
    query: paging,
    reply: z.object({ invoices: z.array(invoice).max(MAX_PAGE), has_more: z.boolean() }),
  }),
  invoice: route({
    method: 'GET',
    path: '/payments/invoices/:id',
    summary: 'Get an invoice or credit note with its tax details',
    params: z.object({ id }),
    reply: invoiceDocument,
  }),
  contactSales: route({
    method: 'POST',
    path: '/payments/contact-sales',
    access: 'visitor',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    rateLimits: [{ bucket: 'contact-sales', limit: 'salesMessagesPerIp', per: 'ip' }],
    summary: 'Send a message to the operators about the Enterprise plan',
    body: z.object({
      name: line(100).min(1),
      email,
      company: line(100).default(''),
      message: lines(4000).min(1),
    }),
    reply: okReply,
  }),
};
