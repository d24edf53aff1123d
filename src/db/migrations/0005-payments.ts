import { type Kysely, sql } from 'kysely';

/**
 * Payments. Orders and payments outlive the account, without its name, for accounting. A paid period is
 * not stored: it follows from the captured payments, so it can't be given twice for one of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subscriptions (
      user_id text primary key references users on delete cascade,
      plan text not null default 'free' check (plan in ('free', 'pro')),
      period text check (period in ('monthly', 'yearly')),
      expires_at timestamptz,
      cancel_at_period_end boolean not null default false,
      trial_ends_at timestamptz,
      trial_over boolean not null default false
    );
    create index subscriptions_ending on subscriptions (expires_at) where plan <> 'free';
    create index subscriptions_on_trial on subscriptions (trial_ends_at) where not trial_over;

    create table orders (
      id text primary key,
      user_id text references users on delete set null,
      gateway_order_id text unique,
      idempotency_key text not null,
      plan text not null check (plan = 'pro'),
      period text not null check (period in ('monthly', 'yearly')),
      amount_minor integer not null check (amount_minor > 0),
      currency text not null,
      state text not null default 'created' check (state in ('created', 'attempted', 'paid')),
      created_at timestamptz not null
    );
    create unique index orders_once on orders (user_id, idempotency_key);
    create index orders_open on orders (created_at) where state <> 'paid';

    create table payments (
      id text primary key,
      order_id text not null references orders,
      gateway_payment_id text not null unique,
      state text not null check (state in ('created', 'failed', 'authorized', 'captured', 'refunded')),
      created_at timestamptz not null,
      captured_at timestamptz
    );
    create index payments_of_order on payments (order_id);

    create table refunds (
      id text primary key,
      payment_id text not null references payments,
      gateway_refund_id text unique,
      state text not null check (state in ('requested', 'pending', 'processed', 'failed')),
      requested_by text references users on delete set null,
      created_at timestamptz not null
    );
    create unique index refunds_once on refunds (payment_id) where state <> 'failed';

    create table webhook_events (
      id text primary key,
      type text not null,
      received_at timestamptz not null
    );
  `.execute(db);
}
