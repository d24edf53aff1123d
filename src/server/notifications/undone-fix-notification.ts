import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { readLogCommit } from '#git/log.ts';
import type { Deps } from '../deps.ts';
import { titleAndMessage } from './build-notification.ts';
import type { NewNotification } from './queries.ts';

interface FixChange {
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
  { projectId, commit, fix }: FixChange,
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
  const { recipients, title } = await findConcerned(db, projectFiles, { projectId, fix });
  return {
    userIds: recipients.concerned.length > 0 ? recipients.concerned : recipients.others,
    projectId,
    key: `undone:${projectId}:${commit}:${fix}`,
    type: 'warning',
    ...titleAndMessage('fix_undone', {
      project: undone.project,
      hash: commit.slice(0, 7),
      fix: fix.slice(0, 7),
      error: title ?? undone.fix_subject,
      path: undone.path,
    }),
    actionUrl: `/projects/${projectId}/commits/${commit}`,
  };
}

/**
 * A commit changed lines that a fix wrote, without removing the fix. Sent to the fix's author and to the owners of the sessions that
 * it resolved, as far as they are members.
 */
export async function fixedLinesChangedNotification(
  { db, projectFiles }: Pick<Deps, 'db' | 'projectFiles'>,
  { projectId, commit, fix }: FixChange,
): Promise<NewNotification | null> {
  const changed = await db
    .selectFrom('fixed_code_changes as c')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .where('c.project_id', '=', projectId)
    .where('c.commit', '=', commit)
    .where('c.fix', '=', fix)
    .select(['c.fix_subject', 'c.path', 'p.name as project'])
    .executeTakeFirst();
  if (!changed) return null;
  const author = await authorOf(projectFiles, projectId, commit);
  const { recipients, title } = await findConcerned(db, projectFiles, { projectId, fix, author });
  return {
    userIds: recipients.concerned,
    projectId,
    key: `fixed-lines:${projectId}:${commit}:${fix}`,
    type: 'info',
    ...titleAndMessage('fixed_lines_changed', {
      ...{ project: changed.project, hash: commit.slice(0, 7), fix: fix.slice(0, 7), path: changed.path },
      error: title ?? changed.fix_subject,
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

/** Finds the people whom a change of a fix concerns, and the title of the newest error that the fix resolved. */
async function findConcerned(
  db: Kysely<Database>,
  projectFiles: Deps['projectFiles'],
  { projectId, fix, author = '' }: Pick<FixChange, 'projectId' | 'fix'> & { author?: string },
) {
  const resolved = await listResolvedSessions(db, projectId, fix);
  const emails = { fix: await authorOf(projectFiles, projectId, fix), excluded: author };
  const owners = resolved.map(({ user_id }) => user_id);
  return {
    recipients: await findRecipients(db, { projectId, emails, owners }),
    title: resolved[0]?.title ?? null,
  };
}

/** Email of the author of a commit; empty when it is gone. */
async function authorOf({ repositories }: Deps['projectFiles'], projectId: string, commit: string) {
  return (await readLogCommit(await repositories.open(projectId), commit))?.email ?? '';
}

/** Members whom a fix concerns, and the others who get all notifications. */
async function findRecipients(
  db: Kysely<Database>,
  {
    projectId,
    emails,
    owners,
  }: { projectId: string; emails: { fix: string; excluded: string }; owners: readonly string[] },
): Promise<{ concerned: string[]; others: string[] }> {
  const members = await db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.project_id', '=', projectId)
    .select(['u.id', 'u.email', 'u.email_verified_at', 'u.notification_scope'])
    .execute();
  const hasEmail = (member: (typeof members)[number], email: string) =>
    member.email_verified_at !== null && member.email.toLowerCase() === email.toLowerCase();
  const readers = members.filter((member) => !hasEmail(member, emails.excluded));
  const concerned = readers.filter((member) => hasEmail(member, emails.fix) || owners.includes(member.id));
  const others = readers.filter((member) => member.notification_scope === 'all');
  return { concerned: concerned.map(({ id }) => id), others: others.map(({ id }) => id) };
}
