import { type Kysely, sql } from 'kysely';
import type { Usage } from '#assistant/models/port.ts';
import type { Sentence } from '#contract/common.ts';
import type { ModelUsage } from '#contract/models.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { lockUser } from '../identity/user-store.ts';

/** What each person may let the language model take, and what that costs. Null: no limit, or no price. */
export interface ModelBudget {
  /** Read and written ones together. */
  tokens: { day: number | null; month: number | null };
  /** In the operator's currency, where prices are set. */
  cost: { day: number | null; month: number | null };
  /** For a million tokens. */
  prices: { input: number; output: number; currency: string } | null;
}

/** Something that an answer may take of its reader's budget: told as it is used, settled when the answer has ended. */
export interface Reservation {
  onUsage(usage: Usage): void;
  /** Counts what was used, or what was set aside where the provider did not say. To be called once, however it ended. */
  settle(): Promise<void>;
}

type Needs = Pick<Deps, 'db' | 'config' | 'now'>;

/** An answer reads some 8,000 tokens of the repository, more with tools, and writes a page. */
const RESERVED_USAGE: Usage = { input: 16_000, output: 2_000 };
/** No answer takes longer; a program that dies leaves its reservation. */
const RESERVATION_LIFETIME_MS = 30 * 60_000;

/**
 * Sets aside what an answer may take, or says in a sentence that the budget is used up and when it comes back. Answers
 * that are being written count with what they set aside, so many at once go over the budget by no more than that.
 * Without a user (an event that came by itself) there is nothing to count.
 */
export async function reserveModelBudget(
  deps: Needs,
  { userId }: { userId: string | null },
): Promise<Reservation | { usedUp: Sentence }> {
  if (userId === null) return { onUsage: () => {}, settle: async () => {} };
  const { db, config, now } = deps;
  const id = newId();
  const usedUp = await db.transaction().execute(async (trx) => {
    // Serialises one person's answers, so that two cannot take the same rest.
    await lockUser(trx, userId);
    const refusal = budgetExceeded(await sumUsage(trx, userId, now()), config.modelBudget, now());
    if (refusal) return refusal;
    const expires_at = new Date(now().getTime() + RESERVATION_LIFETIME_MS);
    await trx.deleteFrom('model_reservations').where('expires_at', '<=', now()).execute();
    await trx
      .insertInto('model_reservations')
      .values({ id, user_id: userId, expires_at, ...toAmount(RESERVED_USAGE, config.modelBudget) })
      .execute();
    return null;
  });
  if (usedUp) return { usedUp };
  let used: Usage | null = null;
  return {
    onUsage: (usage) => {
      used = usage;
    },
    settle: async () => {
      await db.transaction().execute(async (trx) => {
        const gone = await trx.deleteFrom('model_reservations').where('id', '=', id).executeTakeFirst();
        if (gone.numDeletedRows > 0n)
          await recordUsage(trx, {
            userId,
            day: dayOf(now()),
            ...toAmount(used ?? RESERVED_USAGE, config.modelBudget),
          });
      });
    },
  };
}

/** What a person's answers took today and this month, against what they may take. */
export async function getModelUsage(deps: Needs, userId: string): Promise<ModelUsage> {
  const { tokens, cost, prices } = deps.config.modelBudget;
  const taken = await sumUsage(deps.db, userId, deps.now());
  const { day, month } = periodEnds(deps.now());
  return {
    day: { ...taken.day, budget: { tokens: tokens.day, cost: cost.day }, resets_at: day.toISOString() },
    month: {
      ...taken.month,
      budget: { tokens: tokens.month, cost: cost.month },
      resets_at: month.toISOString(),
    },
    currency: prices?.currency ?? null,
  };
}

/** What everybody's answers took this month, the most first; those who asked nothing are left out. */
export async function listModelUsage({ db, now }: Needs) {
  const rows = await db
    .selectFrom('model_usage as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.username'])
    .select(({ fn }) => [fn.sum<string>('m.tokens').as('tokens'), fn.sum<number>('m.cost').as('cost')])
    .select(({ fn }) => fn.sum<string>('m.answers').as('answers'))
    .where('m.day', '>=', `${dayOf(now()).slice(0, 7)}-01`)
    .groupBy(['u.id', 'u.username'])
    .orderBy('tokens', 'desc')
    .limit(200)
    .execute();
  return rows.map(({ id, username, cost, ...row }) => ({
    ...{ id, username, cost },
    tokens: Number(row.tokens),
    answers: Number(row.answers),
  }));
}

interface Amount {
  tokens: number;
  cost: number;
}

/** Settled and set aside, today and this month. */
async function sumUsage(db: Kysely<Database>, userId: string, now: Date) {
  const today = dayOf(now);
  const { rows } = await sql<{ day: string; month: string; day_cost: number; month_cost: number }>`
    select coalesce(sum(tokens) filter (where day = ${today}::date), 0)::text as day,
           coalesce(sum(tokens), 0)::text as month,
           coalesce(sum(cost) filter (where day = ${today}::date), 0)::float8 as day_cost,
           coalesce(sum(cost), 0)::float8 as month_cost
      from (
        select day, tokens, cost from model_usage
         where user_id = ${userId} and day >= ${`${today.slice(0, 7)}-01`}::date
        union all
        select ${today}::date, tokens, cost from model_reservations
         where user_id = ${userId} and expires_at > ${now}
      ) taken`.execute(db);
  const { day, month, day_cost, month_cost } = rows[0]!;
  return {
    day: { tokens: Number(day), cost: day_cost },
    month: { tokens: Number(month), cost: month_cost },
  };
}

function budgetExceeded(
  taken: { day: Amount; month: Amount },
  { tokens, cost }: ModelBudget,
  now: Date,
): Sentence | null {
  const isSpent = (span: 'day' | 'month') =>
    (tokens[span] !== null && taken[span].tokens >= tokens[span]) ||
    (cost[span] !== null && taken[span].cost >= cost[span]);
  const span = isSpent('month') ? 'month' : isSpent('day') ? 'day' : null;
  if (span === null) return null;
  const until = `${periodEnds(now)[span].toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const code = `chat.budget.${span}`;
  const whose = span === 'month' ? 'this month' : 'today';
  const text = `Your share of the language model for ${whose} is used up; it comes back on ${until}.`;
  return { code, params: { until }, text };
}

async function recordUsage(
  db: Kysely<Database>,
  { userId, day, tokens, cost }: Amount & { userId: string; day: string },
): Promise<void> {
  await db
    .insertInto('model_usage')
    .values({ user_id: userId, day, tokens, cost, answers: 1 })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'day']).doUpdateSet({
        tokens: sql`model_usage.tokens + ${tokens}`,
        cost: sql`model_usage.cost + ${cost}`,
        answers: sql`model_usage.answers + 1`,
      }),
    )
    .execute();
}

/** What a provider says of one half only counts with the other as set aside. */
function toAmount({ input, output }: Usage, { prices }: ModelBudget): Amount {
  const [read, written] = [input ?? RESERVED_USAGE.input!, output ?? RESERVED_USAGE.output!];
  const cost = prices ? (read * prices.input + written * prices.output) / 1_000_000 : 0;
  return { tokens: read + written, cost };
}

/** `2026-05-31`, UTC. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** When the day and the month (UTC) of a time end. */
function periodEnds(now: Date): { day: Date; month: Date } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return { day: new Date(Date.UTC(year, month, day + 1)), month: new Date(Date.UTC(year, month + 1, 1)) };
}
