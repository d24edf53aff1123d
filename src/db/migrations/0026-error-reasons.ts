import { type Kysely, type RawBuilder, sql } from 'kysely';

type Replacements = Readonly<Record<string, string>>;

/** Keys of the sentence on a failed language model, in stored answers. */
const MODEL_FAILURES: Replacements = {
  'debug.model.malformed': 'errors.model_answer_unreadable',
  'debug.model.model_budget': 'errors.model_quota_exceeded',
  'debug.model.model_busy': 'errors.model_rate_limited',
  'debug.model.model_failed': 'errors.model_failed',
  'debug.model.model_key': 'errors.model_key_rejected',
  'debug.model.model_slow': 'errors.model_timed_out',
  'debug.model.model_too_long': 'errors.model_context_length_exceeded',
  'debug.model.model_unavailable': 'errors.model_unavailable',
  'debug.model.model_unknown': 'errors.model_not_found',
  'debug.model.model_unreachable': 'errors.model_unreachable',
  'debug.model.refused': 'errors.model_answer_empty',
};

const QUEUES: Replacements = {
  hunks: 'change-index',
  letter: 'email',
  news: 'digest',
  'remove-accounts': 'purge-accounts',
  vectors: 'embeddings',
};

/** Renames stored message keys, queues with their jobs, and kinds of queued emails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await renameModelFailures(db);
  await renameQueues(db);
}

async function renameModelFailures(db: Kysely<unknown>): Promise<void> {
  await sql`
    update debug_sessions
      set answer = jsonb_set(answer, '{model_run,failure,code}', to_jsonb(new_code))
      from ${valuesOf(MODEL_FAILURES)} as keys (old_code, new_code)
      where answer->'model_run'->'failure'->>'code' = old_code;
  `.execute(db);
}

/** Moves the jobs of each queue and of its dead letters to a copy of the queue: `job.name` references it. */
async function renameQueues(db: Kysely<unknown>): Promise<void> {
  // The queue creates its tables when it first starts, after the migrations.
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('pgboss.job') is not null as exists`.execute(db);
  if (!rows[0]?.exists) return;
  for (const [from, to] of Object.entries(QUEUES)) {
    for (const suffix of ['.dead', '']) {
      const renamed = suffix === '' ? { name: to, dead_letter: `${to}.dead` } : { name: to + suffix };
      await sql`
        insert into pgboss.queue
          select (jsonb_populate_record(queue, ${JSON.stringify(renamed)}::jsonb)).*
            from pgboss.queue where name = ${from + suffix}
          on conflict (name) do nothing`.execute(db);
    }
    await sql`update pgboss.job set name = ${to}, dead_letter = ${`${to}.dead`} where name = ${from}`.execute(
      db,
    );
    await sql`update pgboss.job set name = ${`${to}.dead`} where name = ${`${from}.dead`}`.execute(db);
    await sql`delete from pgboss.queue where name = ${from}`.execute(db);
    await sql`delete from pgboss.queue where name = ${`${from}.dead`}`.execute(db);
  }
  await sql`
    update pgboss.job set data = data || '{"kind": "account_deletion"}'
      where name in ('email', 'email.dead') and data->>'kind' = 'account_leaving'`.execute(db);
}

function valuesOf(replacements: Replacements): RawBuilder<unknown> {
  const pairs = Object.entries(replacements).map(([from, to]) => sql`(${sql.lit(from)}, ${sql.lit(to)})`);
  return sql`(values ${sql.join(pairs)})`;
}
