import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import {
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookKind,
} from '#contract/webhooks.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from '#db/webhook-tables.ts';
import type { Language } from '#locales/languages.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';
import type { WebhookContent } from './webhook-body.ts';

/** Key of a webhook. */
interface WebhookKey {
  projectId: string;
  id: string;
}

const SECRET_BYTES = 32;

/** Encrypts URLs and secrets of webhooks. */
export const webhookBox = ({ keys }: Pick<Deps, 'keys'>) => createBox(keys, 'webhooks');

/** Lists the webhooks of a project, oldest first, each with its most recent delivery. */
export async function listWebhooks(db: Kysely<Database>, projectId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .limit(MAX_WEBHOOKS)
    .execute();
  const last = await db
    .selectFrom('webhook_deliveries')
    .distinctOn('webhook_id')
    .select(['webhook_id', 'state', 'status', 'finished_at'])
    .where('project_id', '=', projectId)
    .where('finished_at', 'is not', null)
    .orderBy('webhook_id')
    .orderBy('finished_at', 'desc')
    .execute();
  return rows.map((row) => {
    const delivery = last.find(({ webhook_id }) => webhook_id === row.id);
    return {
      ...{ id: row.id, kind: row.kind, host: row.host, events: row.events, enabled: row.enabled },
      created_at: row.created_at.toISOString(),
      last_delivery: delivery
        ? {
            at: delivery.finished_at!.toISOString(),
            ok: delivery.state === 'delivered',
            status: delivery.status,
          }
        : null,
    };
  });
}

/** Returns a webhook of a project. Throws `not_found`. */
export async function requireWebhook(
  db: Kysely<Database>,
  { projectId, id }: WebhookKey,
): Promise<Selectable<WebhooksTable>> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'webhook_not_found');
  return row;
}

/** Creates a webhook; returns its id, and the secret of the kind `standard`. Throws `conflict` beyond the limit. */
export async function createWebhook(
  deps: Pick<Deps, 'db' | 'keys'>,
  values: {
    projectId: string;
    kind: WebhookKind;
    url: string;
    host: string;
    events: WebhookEvent[];
    language: Language;
  },
): Promise<{ id: string; secret: string | null }> {
  const { projectId, kind, url, host, events, language } = values;
  const id = newId();
  const secret = kind === 'standard' ? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}` : null;
  const box = webhookBox(deps);
  await deps.db.transaction().execute(async (trx) => {
    // Serializes with other creations, so that the limit holds.
    await sql`select 1 from projects where id = ${projectId} for update`.execute(trx);
    if ((await listWebhooks(trx, projectId)).length >= MAX_WEBHOOKS) {
      throw new AppError('conflict', 'webhook_limit_reached', { params: { limit: MAX_WEBHOOKS } });
    }
    await trx
      .insertInto('webhooks')
      .values({
        ...{ project_id: projectId, id, kind, host, language, enabled: true },
        sealed_url: box.seal(url, id),
        sealed_secret: secret && box.seal(secret, id),
        events: JSON.stringify(events),
      })
      .execute();
  });
  return { id, secret };
}

/** Stores an event for every enabled webhook of a project that subscribes to it; returns the new deliveries. */
export async function insertDeliveries(
  db: Kysely<Database>,
  event: { projectId: string; name: WebhookEvent; key: string; content: WebhookContent },
): Promise<WebhookKey[]> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select('id')
    .where('project_id', '=', event.projectId)
    .where('enabled', '=', true)
    .where(sql<boolean>`events ? ${event.name}`)
    .execute();
  const inserted: WebhookKey[] = [];
  for (const { id } of webhooks) {
    const delivery = await insertDelivery(db, { ...event, webhookId: id });
    if (delivery) inserted.push({ projectId: event.projectId, id: delivery.id });
  }
  return inserted;
}

/** Stores a test event for a webhook. */
export async function insertTestDelivery(
  db: Kysely<Database>,
  { projectId, id }: WebhookKey,
  { project, url }: { project: string; url: string },
): Promise<WebhookDelivery> {
  const content = {
    title: createSentence('notifications.event.webhook_test.title', { project }),
    message: createSentence('notifications.event.webhook_test.message', {}),
    ...{ url, data: { project_id: projectId } },
  };
  const key = `test:${newId()}`;
  const row = await insertDelivery(db, { projectId, webhookId: id, name: 'test', key, content });
  return presentDelivery(row!);
}

async function insertDelivery(
  db: Kysely<Database>,
  delivery: {
    projectId: string;
    webhookId: string;
    name: WebhookDelivery['event'];
    key: string;
    content: WebhookContent;
  },
): Promise<Selectable<WebhookDeliveriesTable> | undefined> {
  return await db
    .insertInto('webhook_deliveries')
    .values({
      project_id: delivery.projectId,
      webhook_id: delivery.webhookId,
      id: newId(),
      event: delivery.name,
      event_key: delivery.key,
      content: JSON.stringify(delivery.content),
      next_attempt_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'webhook_id', 'event_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Lists a page of the deliveries of a webhook, newest first, and whether more follow. */
export async function listDeliveries(
  db: Kysely<Database>,
  { projectId, id }: WebhookKey,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ deliveries: WebhookDelivery[]; has_more: boolean }> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('webhook_id', '=', id)
    .orderBy('id', 'desc')
    .offset(skip)
    .limit(limit + 1)
    .execute();
  return { deliveries: rows.slice(0, limit).map(presentDelivery), has_more: rows.length > limit };
}

/** Queues a finished delivery again. Throws `not_found`, and `conflict` while it is queued. */
export async function requeueDelivery(
  db: Kysely<Database>,
  { projectId, id }: WebhookKey,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const row = await db
    .updateTable('webhook_deliveries')
    .set({ state: 'queued', attempts: 0, problem: null, finished_at: null, next_attempt_at: sql`now()` })
    .where('project_id', '=', projectId)
    .where('webhook_id', '=', id)
    .where('id', '=', deliveryId)
    .where('state', '!=', 'queued')
    .returningAll()
    .executeTakeFirst();
  if (row) return presentDelivery(row);
  const { deliveries } = await listDeliveries(db, { projectId, id }, { skip: 0, limit: 100 });
  if (deliveries.some((one) => one.id === deliveryId)) throw new AppError('conflict', 'delivery_queued');
  throw new AppError('not_found', 'delivery_not_found');
}

function presentDelivery(row: Selectable<WebhookDeliveriesTable>): WebhookDelivery {
  return {
    ...{ id: row.id, event: row.event, state: row.state, attempts: row.attempts },
    ...{ status: row.status, problem: row.problem },
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
