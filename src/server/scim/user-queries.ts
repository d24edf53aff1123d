import type { Expression } from 'kysely';
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { FilterTerm } from './filter.ts';
import type { ScimPage } from './paging.ts';
import { ScimError } from './scim-error.ts';
import type { ScimUserRow } from './user-resource.ts';

type Db = Kysely<Database>;

/** Lists a page of the users that match a filter, oldest first, with the total. */
export async function listScimUsers(
  db: Db,
  filter: FilterTerm[],
  { startIndex, count }: ScimPage,
): Promise<{ rows: ScimUserRow[]; total: number }> {
  const matches = (eb: ExpressionBuilder<Database, 'users'>) =>
    eb.and([eb('scim_removed_at', 'is', null), ...filter.map((term) => matchTerm(eb, term))]);
  const { total } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .where(matches)
    .executeTakeFirstOrThrow();
  if (count === 0) return { rows: [], total: Number(total) };
  const rows = await userRows(db)
    .where(matches)
    .orderBy('users.id')
    .offset(startIndex - 1)
    .limit(count)
    .execute();
  return { rows, total: Number(total) };
}

/** Finds a user who has not been removed; null otherwise. */
export async function findScimUser(db: Db, id: string): Promise<ScimUserRow | null> {
  const row = await userRows(db)
    .where('users.id', '=', id)
    .where('scim_removed_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** A userName is the one that a directory has set; other accounts are found by username and by email. */
function matchTerm(
  eb: ExpressionBuilder<Database, 'users'>,
  { attribute, value }: FilterTerm,
): Expression<SqlBool> {
  const equals = (column: string) => sql<boolean>`lower(${sql.ref(column)}) = lower(${String(value)})`;
  switch (attribute) {
    case 'username':
      return eb.or([
        equals('scim_user_name'),
        eb.and([eb('scim_user_name', 'is', null), eb.or([equals('username'), equals('email')])]),
      ]);
    case 'emails':
    case 'emails.value':
      return equals('email');
    case 'displayname':
      return equals('full_name');
    case 'externalid':
      return eb('external_id', '=', String(value));
    case 'id':
      return eb('users.id', '=', String(value));
    case 'active':
      return eb('is_active', '=', value === true);
    default:
      throw new ScimError(400, `Users cannot be filtered by ${attribute}.`, 'invalidFilter');
  }
}

function userRows(db: Db) {
  return db
    .selectFrom('users')
    .select(['users.id', 'username', 'email', 'full_name', 'is_active', 'external_id', 'scim_user_name'])
    .select(['language', 'users.created_at'])
    .select(
      sql<{ value: string; display: string }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('value', t.id, 'display', t.name) order by t.name)
        from team_members m join teams t on t.id = m.team_id where m.user_id = users.id), '[]')`.as('teams'),
    );
}
