import { type Kysely, sql } from 'kysely';
import type { Usage } from '#assistant/models/port.ts';
import type { Sentence } from '#contract/common.ts';
import type { ModelUsage } from '#contract/models.ts';
import { createSentence } from '#contract/sentence.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { lockUser } from '../identity/user-store.ts';

/** Limits of each user's model usage, and its price; null for no limit or no price. */
export interface ModelBudget {
  /** Input and output tokens together. */
  tokens: { day: number | null; month: number | null };
  /** In the currency of the prices. */
  cost: { day: number | null; month: number | null };
  /** Per million tokens. */
  prices: { input: number; output: number; currency: string } | null;
}

/** Budget reserved for an answer, and settled when the answer ends. */
interface Reservation {
  onUsage(usage: Usage): void;
  /** Records the usage, or the reserved amount if the provider did not report it. To be called once, also after errors. */
  settle(): Promise<void>;
}

type BudgetDeps = Pick<Deps, 'db' | 'config' | 'now'>;
type Span = 'day' | 'month';

/** An answer takes about 8,000 input tokens, more with tool calls, and outputs one page. */
const RESERVED_USAGE: Usage = { input: 16_000, output: 2_000 };
/** Exceeds the time of any answer; a crash leaves its reservation until then. */
const RESERVATION_LIFETIME_MS = 30 * 60_000;

/**
 * Reserves budget for an answer, or returns a sentence with the time at which an exhausted budget renews. Reservations count
 * as usage, which limits the overrun by concurrent answers. Nothing is counted without a user, as for webhook events.
 */
export async function reserveModelBudget(
  deps: BudgetDeps & Pick<Deps, 'events'>,
  { userId }: { userId: string | null },
): Promise<Reservation | { usedUp: Sentence }> {
  if (userId === null) return { onUsage: () => {}, settle: async () => {} };
  const { db, config, now } = deps;
  const id = newId();
  const usedUp = await db.transaction().execute(async (trx) => {
    // Serializes reservations of one user, so that two cannot reserve the same remainder.
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
      const spent = await db.transaction().execute(async (trx) => {
        const deleted = await trx.deleteFrom('model_reservations').where('id', '=', id).executeTakeFirst();
        if (deleted.numDeletedRows === 0n) return null;
        const amount = toAmount(used ?? RESERVED_USAGE, config.modelBudget);
        await recordUsage(trx, { userId, day: dayOf(now()), ...amount });
        // Reservations of other answers may end with less.
        const recorded = await sumUsage(trx, userId, now(), { withReservations: false });
        return findSpentSpan(recorded, config.modelBudget);
      });
      if (spent === null) return;
      const until = periodEnds(now())[spent].toISOString();
      deps.events.emit({ type: 'budget-used', userId, span: spent, until });
    },
  };
}

/** Returns the model usage of a user today and this month, with their budget. */
export async function getModelUsage(deps: BudgetDeps, userId: string): Promise<ModelUsage> {
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

/** Lists the model usage of this month by user, highest first, without users that have none. */
export async function listModelUsage({ db, now }: BudgetDeps) {
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

/** Sums recorded and reserved usage, today and this month. */
async function sumUsage(
  db: Kysely<Database>,
  userId: string,
  now: Date,
  { withReservations = true }: { withReservations?: boolean } = {},
) {
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
         where user_id = ${userId} and expires_at > ${now} and ${withReservations}
      ) taken`.execute(db);
  const { day, month, day_cost, month_cost } = rows[0]!;
  return {
    day: { tokens: Number(day), cost: day_cost },
    month: { tokens: Number(month), cost: month_cost },
  };
}

/** Period whose budget is used up, the longer one first. */
function findSpentSpan(taken: Record<Span, Amount>, { tokens, cost }: ModelBudget): Span | null {
  const isSpent = (span: Span) =>
    (tokens[span] !== null && taken[span].tokens >= tokens[span]) ||
    (cost[span] !== null && taken[span].cost >= cost[span]);
  return isSpent('month') ? 'month' : isSpent('day') ? 'day' : null;
}

function budgetExceeded(taken: Record<Span, Amount>, budget: ModelBudget, now: Date): Sentence | null {
  const span = findSpentSpan(taken, budget);
  if (span === null) return null;
  const until = `${periodEnds(now)[span].toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return createSentence(`chat.budget.${span}`, { until });
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

/** Converts usage to tokens and cost; a count that the provider did not report is the reserved one. */
function toAmount({ input, output }: Usage, { prices }: ModelBudget): Amount {
  const [read, written] = [input ?? RESERVED_USAGE.input!, output ?? RESERVED_USAGE.output!];
  const cost = prices ? (read * prices.input + written * prices.output) / 1_000_000 : 0;
  return { tokens: read + written, cost };
}

/** `2026-05-31`, UTC. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Returns the end of the day and of the month (UTC). */
function periodEnds(now: Date): { day: Date; month: Date } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return { day: new Date(Date.UTC(year, month, day + 1)), month: new Date(Date.UTC(year, month + 1, 1)) };
}
