import type { Kysely } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { Database } from '#db/schema.ts';
import { countCommits } from '#git/count.ts';
import type { Deps } from '../deps.ts';
import type { AccountChange } from '../events.ts';
import { describeDevice } from '../identity/device.ts';
import { projectStorage } from '../project-data/storage.ts';
import { createSentence, type NotificationName } from './notification-text.ts';
import type { NewNotification } from './queries.ts';

type Needs = Pick<Deps, 'db' | 'config'>;

const both = (name: NotificationName, params: Sentence['params']) => ({
  title: createSentence(name, 'title', params),
  message: createSentence(name, 'message', params),
});

/** A project can be used for the first time, or has new commits; null when it has been deleted meanwhile. */
export async function projectIndexedNotification(
  { db, config }: Needs,
  { projectId, previous, commit }: { projectId: string; previous: string | null; commit: string },
): Promise<NewNotification | null> {
  const project = await findProject(db, projectId);
  if (!project) return null;
  const about = {
    userIds: project.members,
    // However often a run is repeated, a head is news once.
    key: `indexed:${projectId}:${commit}`,
    actionUrl: `/projects/${projectId}`,
  };
  if (previous === null) {
    const params = { project: project.name, count: project.coverage?.commits ?? 0 };
    return { ...about, type: 'success', ...both('project_ready', params) };
  }
  const { repo } = projectStorage(config.dataDir, projectId);
  const count = await countCommits(repo, { from: commit, not: previous });
  const params = { project: project.name, hash: commit.slice(0, 7), count: count ?? 0 };
  return { ...about, type: 'info', ...both(count ? 'project_updated' : 'project_rewritten', params) };
}

/** A project could not be read or refreshed. */
export async function ingestFailedNotification(
  { db }: Needs,
  { projectId }: { projectId: string },
  key: string,
): Promise<NewNotification | null> {
  const project = await findProject(db, projectId);
  if (!project) return null;
  const name = project.status === 'failed' ? 'project_failed' : 'refresh_failed';
  const words = both(name, { project: project.name });
  return {
    userIds: project.members,
    key,
    type: 'error',
    title: words.title,
    message: project.failure ?? words.message,
    actionUrl: `/projects/${projectId}`,
  };
}

/** Another member has judged a solution; its owner hears of it, once for each verdict. */
export async function feedbackNotification(
  { db }: Needs,
  { sessionId, userId, helpful }: { sessionId: string; userId: string; helpful: boolean },
): Promise<NewNotification | null> {
  const session = await db
    .selectFrom('debug_sessions as s')
    .innerJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 's.project_id').onRef('m.user_id', '=', 's.user_id'),
    )
    .innerJoin('users as judge', (join) => join.on('judge.id', '=', userId))
    .where('s.id', '=', sessionId)
    .where('s.user_id', '!=', userId)
    .select(['s.user_id', 's.title', 'judge.username'])
    .executeTakeFirst();
  if (!session) return null;
  const params = { user: session.username, error: session.title };
  return {
    userIds: [session.user_id],
    key: `feedback:${sessionId}:${userId}:${helpful}`,
    type: helpful ? 'success' : 'info',
    ...both(helpful ? 'feedback_helpful' : 'feedback_unhelpful', params),
    actionUrl: `/debug/${sessionId}`,
  };
}

/**
 * A commit changed the lines that a session's answer points at; whoever asked hears of it, once however often they asked about
 * the same error.
 */
export async function fixSuggestedNotification(
  { db }: Needs,
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
    key: `fix:${session.project_id}:${session.fingerprint}:${commit}`,
    type: 'info',
    ...both('fix_suggested', { hash: commit.slice(0, 7), error: session.title }),
    actionUrl: `/debug/${sessionId}`,
  };
}

/** Somebody came into a project: let in, they hear of it; by an invitation, who invited them does. */
export async function projectSharedNotification(
  { db }: Needs,
  event: { type: 'project-shared' | 'invitation-taken'; projectId: string; userId: string; byId: string },
  key: string,
): Promise<NewNotification | null> {
  const found = await findSharing(db, event);
  if (!found) return null;
  const { project, by, member } = found;
  const told =
    event.type === 'project-shared'
      ? { userIds: [event.userId], key: `shared:${key}`, ...both('project_shared', { project, user: by }) }
      : { userIds: [event.byId], key: `joined:${key}`, ...both('member_joined', { project, user: member }) };
  return { ...told, type: 'info', actionUrl: `/projects/${event.projectId}` };
}

/** A project has changed hands, and its credential is no longer used: both sides hear of it. */
export async function credentialRevokedNotification(
  { db }: Needs,
  { projectId, userIds }: { projectId: string; userIds: string[] },
  key: string,
): Promise<NewNotification | null> {
  const project = await findProject(db, projectId);
  if (!project) return null;
  return {
    userIds,
    key: `credential:${key}`,
    type: 'warning',
    ...both('credential_revoked', { project: project.name }),
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

/** A sign-in from a kind of device that none of the user's other sign-ins came from; null for a known one. */
export async function newSignInNotification(
  { db }: Needs,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<NewNotification | null> {
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'user_agent'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const index = sessions.findIndex(({ id }) => id === sessionId);
  // The first one is that of the new account.
  if (index <= 0) return null;
  const devices = sessions.map(({ user_agent }) => describeDevice(user_agent));
  const device = devices[index]!;
  if (devices.indexOf(device) < index) return null;
  return security(userId, 'signed_in', { key: `signed-in:${sessionId}`, params: { device } });
}

/** Somebody holds a copy of a sign-in, which has been ended. */
export async function tokenReuseNotification(
  { db }: Needs,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<NewNotification> {
  const session = await db
    .selectFrom('sessions')
    .select('user_agent')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const device = describeDevice(session?.user_agent ?? null);
  return security(userId, 'sign_in_copied', { key: `copied:${sessionId}`, params: { device } });
}

/** The password is another one. */
export function passwordChangedNotification({ userId }: { userId: string }, key: string): NewNotification {
  return security(userId, 'password_changed', { key });
}

/** Something about the account changed that its owner would want to know of. */
export function accountChangedNotification(
  { userId, change }: { userId: string; change: AccountChange },
  key: string,
): NewNotification {
  return security(userId, change, { key });
}

/** The plan is another one. */
export function planChangedNotification(
  { userId, plan }: { userId: string; plan: string },
  key: string,
): NewNotification {
  return {
    userIds: [userId],
    key,
    type: plan === 'free' ? 'info' : 'success',
    ...both('plan_changed', { plan: plan.charAt(0).toUpperCase() + plan.slice(1) }),
    actionUrl: '/subscription',
  };
}

function security(
  userId: string,
  name: NotificationName,
  { key, params = {} }: { key: string; params?: Sentence['params'] },
): NewNotification {
  return { userIds: [userId], key, type: 'warning', ...both(name, params), actionUrl: '/settings' };
}

/** What a notice says of a project, and whom it concerns. */
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
