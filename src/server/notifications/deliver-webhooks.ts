import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Database } from '#db/schema.ts';
import { sendRequest } from '#egress/send-message.ts';
import type { Deps } from '../deps.ts';
import { recordEgress } from '../llm/egress-record.ts';
import { renderWebhookBody, signWebhook } from './webhook-body.ts';
import { requireWebhook, webhookBox } from './webhook-queries.ts';

/** Name of the job that sends a delivery. */
export const WEBHOOK_QUEUE = 'webhook-delivery';

/** A delivery, by its key. */
export interface WebhookJob {
  projectId: string;
  id: string;
}

type DeliveryDeps = Pick<Deps, 'db' | 'jobs' | 'keys' | 'egress' | 'now'>;

/** Seconds before each further attempt: about a day in all, as Standard Webhooks recommends. */
const RETRY_DELAYS_S = [5, 300, 1_800, 7_200, 18_000, 36_000];
const MAX_REPLY_BYTES = 64 * 1024;
const MAX_PROBLEM_LENGTH = 500;
const GONE = 410;
const UPKEEP_MS = 60_000;
const RETENTION_DAYS = 30;
const MAX_REQUEUED = 200;

interface Outcome {
  status: number | null;
  /** Null after success. */
  problem: string | null;
  /** The receiver, or the policy of this server, refuses this webhook for good. */
  isFinal: boolean;
}

/** Returns the job that sends one delivery, and enqueues its next attempt after a failure. */
export function webhookJob(
  deps: DeliveryDeps,
  onFailure: (error: unknown) => void,
): JobDefinition<WebhookJob> {
  return {
    name: WEBHOOK_QUEUE,
    concurrency: 4,
    retryLimit: 3,
    singletonKey: ({ id }) => id,
    group: async ({ projectId }) => projectId,
    run: async (job) => await deliver(deps, job, onFailure),
  };
}

/** Returns the job that enqueues deliveries whose job was lost, and deletes old ones. */
export function webhookUpkeepJob({ db, jobs, now }: Pick<Deps, 'db' | 'jobs' | 'now'>): JobDefinition {
  return {
    name: 'webhook-upkeep',
    concurrency: 1,
    retryLimit: 1,
    everyMs: UPKEEP_MS,
    singletonKey: () => 'all',
    async run() {
      const expired = new Date(now().getTime() - RETENTION_DAYS * 86_400_000);
      await db.deleteFrom('webhook_deliveries').where('created_at', '<', expired).execute();
      const lost = await db
        .selectFrom('webhook_deliveries')
        .select(['project_id', 'id'])
        .where('state', '=', 'queued')
        .where('next_attempt_at', '<', new Date(now().getTime() - UPKEEP_MS))
        .limit(MAX_REQUEUED)
        .execute();
      for (const { project_id: projectId, id } of lost) {
        await jobs.send<WebhookJob>(WEBHOOK_QUEUE, { projectId, id });
      }
    },
  };
}

async function deliver(
  deps: DeliveryDeps,
  { projectId, id }: WebhookJob,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const { db } = deps;
  const delivery = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  if (!delivery) return;
  const webhook = await requireWebhook(db, { projectId, id: delivery.webhook_id });
  const outcome = webhook.enabled
    ? await send(deps, webhook, delivery, onFailure)
    : { status: null, problem: 'The webhook is disabled.', isFinal: true };
  if (outcome.status === GONE) await disable(db, webhook);
  const delay = RETRY_DELAYS_S[delivery.attempts];
  const isRetried = outcome.problem !== null && !outcome.isFinal && delay !== undefined;
  const state = outcome.problem === null ? 'delivered' : isRetried ? 'queued' : 'failed';
  await db
    .updateTable('webhook_deliveries')
    .set({
      state,
      attempts: delivery.attempts + 1,
      status: outcome.status,
      problem: outcome.problem?.slice(0, MAX_PROBLEM_LENGTH) ?? null,
      finished_at: isRetried ? null : sql<Date>`now()`,
      next_attempt_at: isRetried ? sql<Date>`now() + make_interval(secs => ${delay})` : null,
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
  if (isRetried) await deps.jobs.send<WebhookJob>(WEBHOOK_QUEUE, { projectId, id }, { delayS: delay });
}

type Webhook = Awaited<ReturnType<typeof requireWebhook>>;

async function send(
  deps: DeliveryDeps,
  webhook: Webhook,
  delivery: { id: string; event: Parameters<typeof renderWebhookBody>[1]['event']; created_at: Date } & Pick<
    Parameters<typeof renderWebhookBody>[1],
    'content'
  >,
  onFailure: (error: unknown) => void,
): Promise<Outcome> {
  const box = webhookBox(deps);
  const { event, content, created_at: createdAt } = delivery;
  const body = renderWebhookBody(webhook.kind, { event, content, createdAt, language: webhook.language });
  const secret = webhook.sealed_secret && box.open(webhook.sealed_secret, webhook.id);
  const signature = secret ? signWebhook(secret, { id: delivery.id, at: deps.now(), body }) : {};
  const record = recordEgress(
    deps,
    { purpose: 'webhook', projectId: webhook.project_id, userId: null },
    onFailure,
  );
  const started = performance.now();
  const size = Buffer.byteLength(body);
  const finish = (status: number | null, received: number) =>
    record({ host: webhook.host, sent: size, received, status, ms: Math.round(performance.now() - started) });
  try {
    const { status, body: reply } = await sendRequest(deps.egress, {
      url: box.open(webhook.sealed_url, webhook.id),
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Hindsight', ...signature },
      body: Buffer.from(body),
      maxBytes: MAX_REPLY_BYTES,
    });
    finish(status, reply.length);
    const isOk = status >= 200 && status < 300;
    return { status, problem: isOk ? null : `The receiver answered ${status}.`, isFinal: status === GONE };
  } catch (error) {
    finish(null, 0);
    if (!(error instanceof AppError)) throw error;
    return { status: null, problem: error.message, isFinal: error.code === 'bad_request' };
  }
}

async function disable(db: Kysely<Database>, { project_id, id }: Webhook): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ enabled: false })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}
