import type { Kysely } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import { createSentence } from '#contract/sentence.ts';
import type { Database } from '#db/schema.ts';
import { countCommits } from '#git/count-commits.ts';
import type { Deps } from '../deps.ts';
import type { AccountChange } from '../events.ts';
import { describeDevice } from '../identity/device.ts';
import type { NotificationName } from './notification-scope.ts';
import type { NewNotification } from './queries.ts';

type NotificationDeps = Pick<Deps, 'db' | 'projectFiles'>;

/** Title and message of a notification. */
export const titleAndMessage = (name: NotificationName, params: Sentence['params']) => ({
  title: createSentence(`notifications.event.${name}.title`, params),
  message: createSentence(`notifications.event.${name}.message`, params),
});

/** First index of a project, or new commits; null when the project was deleted meanwhile. */
export async function projectIndexedNotification(
  { db, projectFiles }: NotificationDeps,
  { projectId, previous, commit }: { projectId: string; previous: string | null; commit: string },
): Promise<NewNotification | null> {
  const project = await findProject(db, projectId);
  if (!project) return null;
  const common = {
    userIds: project.members,
    projectId,
    // One notification per head, however often a run is repeated.
    key: `indexed:${projectId}:${commit}`,
    actionUrl: `/projects/${projectId}`,
  };
  if (previous === null) {
    const params = { project: project.name, count: project.coverage?.commits ?? 0 };
    return { ...common, type: 'success', ...titleAndMessage('project_ready', params) };
  }
  const repo = await projectFiles.repositories.open(projectId);
  const count = await countCommits(repo, { from: commit, not: previous });
  const params = { project: project.name, hash: commit.slice(0, 7), count: count ?? 0 };
  return {
    ...common,
    type: 'info',
    ...titleAndMessage(count ? 'project_updated' : 'history_rewritten', params),
  };
}

/** A project could not be indexed or refreshed. */
export async function ingestFailedNotification(
  { db }: NotificationDeps,
  { projectId }: { projectId: string },
  key: string,
): Promise<NewNotification | null> {
  const project = await findProject(db, projectId);
  if (!project) return null;
  const name = project.status === 'failed' ? 'project_failed' : 'refresh_failed';
  const text = titleAndMessage(name, { project: project.name });
  return {
    userIds: project.members,
    projectId,
    key,
    type: 'error',
    title: text.title,
    message: project.failure ?? text.message,
    actionUrl: `/projects/${projectId}`,
  };
}

/** Another member rated a solution. Sent to the owner of the session, once per rating. */
export async function feedbackNotification(
  { db }: NotificationDeps,
  { sessionId, userId, helpful }: { sessionId: string; userId: string; helpful: boolean },
): Promise<NewNotification | null> {
  const session = await db
    .selectFrom('debug_sessions as s')
    .innerJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 's.project_id').onRef('m.user_id', '=', 's.user_id'),
    )
    .innerJoin('users as reviewer', (join) => join.on('reviewer.id', '=', userId))
    .where('s.id', '=', sessionId)
    .where('s.user_id', '!=', userId)
    .select(['s.user_id', 's.title', 'reviewer.username'])
    .executeTakeFirst();
  if (!session) return null;
  const params = { user: session.username, error: session.title };
  return {
    userIds: [session.user_id],
    key: `feedback:${sessionId}:${userId}:${helpful}`,
    type: helpful ? 'success' : 'info',
    ...titleAndMessage(helpful ? 'feedback_helpful' : 'feedback_unhelpful', params),
    actionUrl: `/debug/${sessionId}`,
  };
}

/**
 * A commit changed the lines that a session’s answer points at. Sent to the owner of the session, once per error.
 */
export async function fixSuggestedNotification(
  { db }: NotificationDeps,
  { sessionId, commit }: { sessionId: string; commit: string },
): Promise<NewNotification | null> {
  const session = await db
    .selectFrom('debug_sessions as s')
    .innerJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 's.project_id').onRef('m.user_id', '=', 's.user_id'),
    )
    .where('s.id', '=', sessionId)
    .select(['s.user_id', 's.title', 's.project_id', 's.fingerprint'])
    .executeTakeFirst();
  if (!session) return null;
  return {
    userIds: [session.user_id],
    projectId: session.project_id,
    key: `fix:${session.project_id}:${session.fingerprint}:${commit}`,
    type: 'info',
    ...titleAndMessage('fix_suggested', { hash: commit.slice(0, 7), error: session.title }),
    actionUrl: `/debug/${sessionId}`,
  };
}

/**
 * A user joined a project. Sent to a member who was added, or to the inviter of one who accepted an invitation.
 */
export async function projectSharedNotification(
  { db }: NotificationDeps,
  event: { type: 'project-shared' | 'invitation-taken'; projectId: string; userId: string; byId: string },
  key: string,
): Promise<NewNotification | null> {
  const sharing = await findSharing(db, event);
  if (!sharing) return null;
  const { project, by, member } = sharing;
  const recipient =
    event.type === 'project-shared'
      ? {
          userIds: [event.userId],
          key: `shared:${key}`,
          ...titleAndMessage('project_shared', { project, user: by }),
        }
      : {
          userIds: [event.byId],
          key: `joined:${key}`,
          ...titleAndMessage('member_joined', { project, user: member }),
        };
  return { ...recipient, type: 'info', actionUrl: `/projects/${event.projectId}` };
}

/** The credential of a project was revoked by a transfer. Sent to both owners. */
export async function credentialRevokedNotification(
  { db }: NotificationDeps,
  { projectId, userIds }: { projectId: string; userIds: string[] },
  key: string,
): Promise<NewNotification | null> {
  const project = await findProject(db, projectId);
  if (!project) return null;
  return {
    userIds,
    key: `credential:${key}`,
    type: 'warning',
    ...titleAndMessage('credential_revoked', { project: project.name }),
    actionUrl: `/projects/${projectId}`,
  };
}

async function findSharing(
  db: Kysely<Database>,
  { projectId, userId, byId }: { projectId: string; userId: string; byId: string },
) {
  return await db
    .selectFrom('project_members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .innerJoin('users as member', 'member.id', 'm.user_id')
    .innerJoin('users as by', (join) => join.on('by.id', '=', byId))
    .where('m.project_id', '=', projectId)
    .where('m.user_id', '=', userId)
    .select(['p.name as project', 'member.username as member', 'by.username as by'])
    .executeTakeFirst();
}

/** A sign-in from a kind of device that no other session of the user has; null for a known one. */
export async function newSignInNotification(
  { db }: NotificationDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<NewNotification | null> {
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'user_agent'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const index = sessions.findIndex(({ id }) => id === sessionId);
  // The first session belongs to the sign-up.
  if (index <= 0) return null;
  const devices = sessions.map(({ user_agent }) => describeDevice(user_agent));
  const device = devices[index]!;
  if (devices.indexOf(device) < index) return null;
  return securityNotification(userId, 'signed_in', { key: `signed-in:${sessionId}`, params: { device } });
}

/** A refresh token was reused, and its session revoked. */
export async function tokenReuseNotification(
  { db }: NotificationDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<NewNotification> {
  const session = await db
    .selectFrom('sessions')
    .select('user_agent')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const device = describeDevice(session?.user_agent ?? null);
  return securityNotification(userId, 'refresh_token_reused', {
    key: `copied:${sessionId}`,
    params: { device },
  });
}

/** The password was changed. */
export function passwordChangedNotification({ userId }: { userId: string }, key: string): NewNotification {
  return securityNotification(userId, 'password_changed', { key });
}

/** A security setting of the account was changed. */
export function accountChangedNotification(
  { userId, change }: { userId: string; change: AccountChange },
  key: string,
): NewNotification {
  return securityNotification(userId, change, { key });
}

/** The plan was changed. */
export function planChangedNotification(
  { userId, plan }: { userId: string; plan: string },
  key: string,
): NewNotification {
  return {
    userIds: [userId],
    key,
    type: plan === 'free' ? 'info' : 'success',
    ...titleAndMessage('plan_changed', { plan: plan.charAt(0).toUpperCase() + plan.slice(1) }),
    actionUrl: '/subscription',
  };
}

function securityNotification(
  userId: string,
  name: NotificationName,
  { key, params = {} }: { key: string; params?: Sentence['params'] },
): NewNotification {
  return {
    userIds: [userId],
    key,
    type: 'warning',
    ...titleAndMessage(name, params),
    actionUrl: '/settings',
  };
}

/** Project with the ids of its members. */
async function findProject(db: Kysely<Database>, projectId: string) {
  const rows = await db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .where('p.id', '=', projectId)
    .select(['p.name', 'p.status', 'p.failure', 'p.coverage', 'm.user_id'])
    .execute();
  const [project] = rows;
  return project ? { ...project, members: rows.map((row) => row.user_id) } : null;
}
