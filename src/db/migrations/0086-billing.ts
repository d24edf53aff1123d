import { type Kysely, sql } from 'kysely';

/**
 * Invoices, billing details, and the choice of projects that stay writable over the limit of a plan. Invoices outlive the
 * account, with the details of their time. Their numbers have no gaps: the counter is updated in the transaction that
 * inserts the invoice. Payments of before get invoices here, in the order of their capture.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table billing_details (
      user_id text primary key references users on delete cascade,
      name text not null,
      address text not null,
      country text not null,
      tax_id text not null,
      updated_at timestamptz not null default now()
    );

    create table invoice_counters (
      year integer primary key,
      last integer not null
    );
    create table invoices (
      id text primary key,
      number text not null unique,
      kind text not null check (kind in ('invoice', 'credit_note')),
      user_id text references users on delete set null,
      payment_id text not null references payments,
      plan text not null,
      period text not null,
      currency text not null,
      amount_minor integer not null check (amount_minor > 0),
      tax_minor integer not null check (tax_minor >= 0 and tax_minor <= amount_minor),
      tax jsonb not null,
      seller jsonb not null,
      buyer jsonb not null,
      issued_at timestamptz not null,
      unique (payment_id, kind)
    );
    create index invoices_of_user on invoices (user_id, id desc);

    create table writable_projects (
      project_id text primary key references projects on delete cascade,
      user_id text not null references users on delete cascade,
      chosen_at timestamptz not null
    );
    create index writable_projects_of_user on writable_projects (user_id);

    alter table subscriptions add column trial_reminded_at timestamptz;
  `.execute(db);
  await insertEarlierInvoices(db);
}

async function insertEarlierInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`
    with numbered as (
      select *, extract(year from issued_at at time zone 'UTC')::integer as year,
        row_number() over (partition by extract(year from issued_at at time zone 'UTC') order by issued_at, id, kind desc) as position
      from (
        select p.id, 'invoice' as kind, p.captured_at as issued_at, o.user_id, o.plan, o.period, o.currency, o.amount_minor
          from payments p join orders o on o.id = p.order_id where p.captured_at is not null
        union all
        select p.id, 'credit_note', coalesce((select max(r.created_at) from refunds r where r.payment_id = p.id), p.captured_at),
          o.user_id, o.plan, o.period, o.currency, o.amount_minor
          from payments p join orders o on o.id = p.order_id where p.captured_at is not null and p.state = 'refunded'
      ) as documents
    ), inserted as (
      insert into invoices (id, number, kind, user_id, payment_id, plan, period, currency, amount_minor, tax_minor, tax, seller, buyer, issued_at)
      select id || case kind when 'invoice' then '-i' else '-c' end, year || '-' || lpad(position::text, 6, '0'), kind, user_id, id,
        plan, period, currency, amount_minor, 0, '{"name":"","percent":0}'::jsonb, '{"name":"","address":"","tax_id":""}'::jsonb,
        '{"name":"","address":"","country":"","tax_id":""}'::jsonb, issued_at
      from numbered
    )
    insert into invoice_counters (year, last) select year, max(position) from numbered group by year
  `.execute(db);
}
