import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { recordAuditEvent } from '../identity/audit-log.ts';
import { changeTeams, deleteTeamMembers, insertTeamMembers } from '../identity/team-access.ts';
import type { FilterTerm } from './filter.ts';
import type { ScimGroup, ScimGroupChange, ScimGroupRow } from './group-resource.ts';
import type { ScimPage } from './paging.ts';
import { resourceNotFound, ScimError } from './scim-error.ts';
import type { ScimClient } from './tokens.ts';

type Db = Kysely<Database>;
type ChangeDeps = Pick<Deps, 'db' | 'events'>;

const SOURCE = 'scim';

/** Lists a page of the groups that match a filter, oldest first, with the total. */
export async function listScimGroups(
  db: Db,
  filter: FilterTerm[],
  { startIndex, count }: ScimPage,
): Promise<{ rows: ScimGroupRow[]; total: number }> {
  const matches = (eb: ExpressionBuilder<Database, 'teams'>) =>
    eb.and(filter.map((term) => matchTerm(eb, term)));
  const { total } = await db
    .selectFrom('teams')
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .where(matches)
    .executeTakeFirstOrThrow();
  if (count === 0) return { rows: [], total: Number(total) };
  const rows = await db
    .selectFrom('teams')
    .selectAll()
    .where(matches)
    .orderBy('id')
    .offset(startIndex - 1)
    .limit(count)
    .execute();
  return { rows, total: Number(total) };
}

function matchTerm(eb: ExpressionBuilder<Database, 'teams'>, { attribute, value }: FilterTerm) {
  if (attribute === 'displayname') return sql<boolean>`lower(name) = lower(${String(value)})`;
  if (attribute === 'externalid') return eb('external_id', '=', String(value));
  if (attribute === 'id') return eb('id', '=', String(value));
  throw new ScimError(400, `Groups cannot be filtered by ${attribute}.`, 'invalidFilter');
}

/** Finds a group. Throws a SCIM error 404. */
export async function findScimGroup(db: Db, id: string): Promise<ScimGroupRow> {
  const row = await db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw resourceNotFound();
  return row;
}

/** Loads the members of groups, by the id of the group. */
export async function loadGroupMembers(
  db: Db,
  ids: string[],
): Promise<Map<string, { value: string; display: string }[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.team_id', 'm.user_id', 'u.username'])
    .where('m.team_id', 'in', ids)
    .orderBy('m.user_id')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.team_id);
  return new Map(
    [...groups].map(([id, members]) => [
      id,
      members.map(({ user_id, username }) => ({ value: user_id, display: username })),
    ]),
  );
}

/** Creates a group as a team; returns its id. */
export async function createScimGroup(
  deps: ChangeDeps,
  group: ScimGroup,
  client: ScimClient,
): Promise<string> {
  const id = newId();
  await changeTeams(deps, async (trx) => {
    await withUniqueness(async () => {
      await trx
        .insertInto('teams')
        .values({ id, name: group.displayName, external_id: group.externalId })
        .execute();
    });
    await audit(trx, 'team_created', group.displayName, client);
    const added = await addMembers(trx, id, group.members);
    return { result: undefined, scope: { userIds: added } };
  });
  return id;
}

/** Applies a PUT or PATCH. Members that people have added by hand stay in a replacement. Throws a SCIM error 404. */
export async function updateScimGroup(
  deps: ChangeDeps,
  id: string,
  change: ScimGroupChange,
  client: ScimClient,
): Promise<void> {
  await changeTeams(deps, async (trx) => {
    const group = await findScimGroup(trx, id);
    const { displayName, externalId } = change;
    if (displayName !== null || externalId !== undefined) {
      const set = {
        ...(displayName !== null && { name: displayName }),
        ...(externalId !== undefined && { external_id: externalId }),
      };
      await withUniqueness(async () => {
        await trx.updateTable('teams').set(set).where('id', '=', id).execute();
      });
    }
    if (displayName !== null && displayName !== group.name)
      await audit(trx, 'team_renamed', displayName, client);
    const left = change.replaced ? await keepMembers(trx, id, change.replaced) : [];
    const removed = await deleteTeamMembers(trx, id, change.removed);
    const added = await addMembers(trx, id, [...(change.replaced ?? []), ...change.added]);
    const team = displayName ?? group.name;
    await auditMembers(trx, { team, client, added, removed: [...left, ...removed] });
    return { result: undefined, scope: { userIds: [...left, ...removed, ...added] } };
  });
}

/** Deletes a group with the access that it gave. Throws a SCIM error 404. */
export async function deleteScimGroup(deps: ChangeDeps, id: string, client: ScimClient): Promise<void> {
  await changeTeams(deps, async (trx) => {
    const group = await findScimGroup(trx, id);
    const members = await deleteTeamMembers(trx, id, null);
    await trx.deleteFrom('teams').where('id', '=', id).execute();
    await audit(trx, 'team_deleted', group.name, client);
    return { result: undefined, scope: { userIds: members } };
  });
}

async function keepMembers(trx: Transaction<Database>, teamId: string, kept: string[]): Promise<string[]> {
  const rows = await trx
    .deleteFrom('team_members')
    .where('team_id', '=', teamId)
    .where('source', '<>', 'manual')
    .where(sql<boolean>`not (user_id = any(${kept}::text[]))`)
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Adds users to a team. Throws a SCIM error 400 for an id that no user has. */
async function addMembers(trx: Transaction<Database>, teamId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = await trx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('scim_removed_at', 'is', null)
    .execute();
  const users = new Set(known.map(({ id }) => id));
  if (ids.some((id) => !users.has(id)))
    throw new ScimError(400, 'members names a user who does not exist.', 'invalidValue');
  return await insertTeamMembers(trx, { teamId, userIds: [...users], source: SOURCE });
}

/** Turns a violation of a unique name or externalId into a SCIM error 409. */
async function withUniqueness(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error;
    throw new ScimError(409, 'Another group has this displayName or externalId.', 'uniqueness');
  }
}

const MAX_AUDITED_MEMBERS = 100;

async function auditMembers(
  trx: Transaction<Database>,
  { team, client, added, removed }: { team: string; client: ScimClient; added: string[]; removed: string[] },
): Promise<void> {
  const changed = [...added, ...removed].slice(0, MAX_AUDITED_MEMBERS);
  if (changed.length === 0) return;
  const users = await trx.selectFrom('users').select(['id', 'username']).where('id', 'in', changed).execute();
  for (const { id, username } of users) {
    const event = added.includes(id) ? 'team_member_added' : 'team_member_removed';
    await recordAuditEvent(trx, { userId: id, event, detail: { team, member: username, by: client.name } });
  }
}

async function audit(
  trx: Transaction<Database>,
  event: 'team_created' | 'team_renamed' | 'team_deleted',
  team: string,
  client: ScimClient,
): Promise<void> {
  await recordAuditEvent(trx, { userId: null, event, detail: { team, by: client.name } });
}
