import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { readLogCommit } from '#git/log.ts';
import type { Deps } from '../deps.ts';
import { titleAndMessage } from './build-notification.ts';
import type { NewNotification } from './queries.ts';

interface FixUndone {
  projectId: string;
  commit: string;
  fix: string;
}

/**
 * A commit removed what a fix added. Sent to the fix's author and to the owners of the sessions that it resolved, as far as they are
 * members; where there are none, to the members who get all notifications.
 */
export async function fixUndoneNotification(
  { db, projectFiles }: Pick<Deps, 'db' | 'projectFiles'>,
  { projectId, commit, fix }: FixUndone,
): Promise<NewNotification | null> {
  const undone = await db
    .selectFrom('undone_fixes as u')
    .innerJoin('projects as p', 'p.id', 'u.project_id')
    .where('u.project_id', '=', projectId)
    .where('u.commit', '=', commit)
    .where('u.fix', '=', fix)
    .select(['u.fix_subject', 'u.path', 'p.name as project'])
    .executeTakeFirst();
  if (!undone) return null;
  const resolved = await listResolvedSessions(db, projectId, fix);
  const repo = await projectFiles.repositories.open(projectId);
  const email = (await readLogCommit(repo, fix))?.email ?? '';
  return {
    userIds: await findRecipients(db, { projectId, email, owners: resolved.map(({ user_id }) => user_id) }),
    projectId,
    key: `undone:${projectId}:${commit}:${fix}`,
    type: 'warning',
    ...titleAndMessage('fix_undone', {
      project: undone.project,
      hash: commit.slice(0, 7),
      fix: fix.slice(0, 7),
      error: resolved[0]?.title ?? undone.fix_subject,
      path: undone.path,
    }),
    actionUrl: `/projects/${projectId}/commits/${commit}`,
  };
}

/** Sessions whose error a fix resolved, newest first. */
async function listResolvedSessions(db: Kysely<Database>, projectId: string, fix: string) {
  return await db
    .selectFrom('debug_resolutions as r')
    .innerJoin('debug_sessions as s', (join) =>
      join.onRef('s.project_id', '=', 'r.project_id').onRef('s.id', '=', 'r.session_id'),
    )
    .where('r.project_id', '=', projectId)
    .where('r.commit', '=', fix)
    .where('r.state', '!=', 'rejected')
    .where('s.draft', '=', false)
    .orderBy('s.created_at', 'desc')
    .select(['s.title', 's.user_id'])
    .execute();
}

async function findRecipients(
  db: Kysely<Database>,
  { projectId, email, owners }: { projectId: string; email: string; owners: readonly string[] },
): Promise<string[]> {
  const members = await db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.project_id', '=', projectId)
    .select(['u.id', 'u.email', 'u.email_verified_at', 'u.notification_scope'])
    .execute();
  const isAuthor = (member: (typeof members)[number]) =>
    member.email_verified_at !== null && member.email.toLowerCase() === email.toLowerCase();
  const concerned = members.filter((member) => isAuthor(member) || owners.includes(member.id));
  const recipients =
    concerned.length > 0 ? concerned : members.filter((member) => member.notification_scope === 'all');
  return recipients.map(({ id }) => id);
}
