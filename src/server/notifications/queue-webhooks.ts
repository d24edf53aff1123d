import type { WebhookEvent } from '#contract/webhooks.ts';
import type { Deps } from '../deps.ts';
import { WEBHOOK_QUEUE, type WebhookJob } from './deliver-webhooks.ts';
import type { NotificationName } from './notification-scope.ts';
import type { NewNotification } from './queries.ts';
import { insertDeliveries } from './webhook-queries.ts';

/** Notifications that webhooks get as well. */
const WEBHOOK_EVENT_OF: Partial<Record<NotificationName, WebhookEvent>> = {
  project_ready: 'project.indexed',
  project_updated: 'project.indexed',
  history_rewritten: 'project.indexed',
  project_failed: 'project.failed',
  refresh_failed: 'project.failed',
  error_new: 'error.new',
  error_regressed: 'error.regressed',
  error_assigned: 'error.assigned',
  fix_suggested: 'fix.suggested',
  fix_undone: 'fix.undone',
};

/** Enqueues a notification for the webhooks of its project. Notifications of people alone have no webhook event. */
export async function queueWebhooks(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  notification: NewNotification,
  origin: string,
): Promise<void> {
  const { projectId, title, message, actionUrl, key } = notification;
  const name = WEBHOOK_EVENT_OF[title.code.split('.')[2] as NotificationName];
  if (name === undefined || projectId === undefined) return;
  const ids = { project_id: projectId, ...pageIds(actionUrl ?? '') };
  const content = { title, message, url: new URL(actionUrl ?? '/', origin).href, data: ids };
  for (const { id } of await insertDeliveries(db, { projectId, name, key, content })) {
    await jobs.send<WebhookJob>(WEBHOOK_QUEUE, { projectId, id });
  }
}

/** Ids in the address of a page, for programs that go on with the API. */
function pageIds(path: string): Record<string, string> {
  const errorId = /^\/projects\/[^/]+\/errors\/([^/?#]+)/.exec(path)?.[1];
  const sessionId = /^\/debug\/([^/?#]+)/.exec(path)?.[1];
  const commit = /^\/projects\/[^/]+\/commits\/([0-9a-f]+)/.exec(path)?.[1];
  return {
    ...(errorId && { error_id: errorId }),
    ...(sessionId && { session_id: sessionId }),
    ...(commit && { commit }),
  };
}
