import { type Kysely, sql } from 'kysely';

/** Outgoing webhooks with their deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      project_id text not null references projects on delete cascade,
      id text not null,
      kind text not null,
      sealed_url text not null,
      host text not null,
      sealed_secret text,
      events jsonb not null,
      enabled boolean not null default true,
      language text not null,
      created_at timestamptz not null default now(),
      primary key (project_id, id)
    );
    create table webhook_deliveries (
      project_id text not null,
      webhook_id text not null,
      id text not null,
      event text not null,
      event_key text not null,
      content jsonb not null,
      state text not null default 'queued',
      attempts integer not null default 0,
      status integer,
      problem text,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      next_attempt_at timestamptz,
      primary key (project_id, webhook_id, id),
      unique (project_id, webhook_id, event_key),
      foreign key (project_id, webhook_id) references webhooks on delete cascade
    );
    create index webhook_deliveries_queued on webhook_deliveries (next_attempt_at) where state = 'queued'`.execute(
    db,
  );
}
