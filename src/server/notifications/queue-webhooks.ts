import type { Kysely } from 'kysely';
import type { WebhookEvent } from '#contract/webhooks.ts';
import type { Database } from '#db/schema.ts';
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
  fixed_lines_changed: 'fix.changed',
  payment_failed: 'payment.failed',
  trial_ending: 'trial.ending',
  budget_used: 'budget.used',
};

/** Enqueues a notification for the webhooks of its project; one about a person’s plan, for those of the projects that they own. */
export async function queueWebhooks(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  notification: NewNotification,
  origin: string,
): Promise<void> {
  const { title, message, actionUrl, key } = notification;
  const name = WEBHOOK_EVENT_OF[title.code.split('.')[2] as NotificationName];
  if (name === undefined) return;
  const url = new URL(actionUrl ?? '/', origin).href;
  for (const projectId of await listProjectIds(db, notification)) {
    const data = { project_id: projectId, ...pageIds(actionUrl ?? '') };
    const event = { projectId, name, key, content: { title, message, url, data } };
    for (const { id } of await insertDeliveries(db, event)) {
      await jobs.send<WebhookJob>(WEBHOOK_QUEUE, { projectId, id });
    }
  }
}

/** Projects of one person whose webhooks get what concerns their plan. */
const MAX_PROJECTS = 100;

async function listProjectIds(
  db: Kysely<Database>,
  { projectId, userIds }: Pick<NewNotification, 'projectId' | 'userIds'>,
): Promise<string[]> {
  if (projectId !== undefined) return [projectId];
  const rows = await db
    .selectFrom('webhooks as w')
    .innerJoin('project_members as m', 'm.project_id', 'w.project_id')
    .where('m.user_id', 'in', userIds)
    .where('m.direct_role', '=', 'owner')
    .select('w.project_id')
    .distinct()
    .limit(MAX_PROJECTS)
    .execute();
  return rows.map((row) => row.project_id);
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
