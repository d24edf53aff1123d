import { type Kysely, sql } from 'kysely';
import type { AdminProject } from '#contract/admin.ts';
import type { Database } from '#db/schema.ts';
import { containsPattern } from './like-pattern.ts';

/** Lists a page of all projects matching `q` by name or owner, newest first, with the total. */
export async function listAllProjects(
  db: Kysely<Database>,
  { q, skip, limit }: { q: string; skip: number; limit: number },
): Promise<{ projects: AdminProject[]; total: number }> {
  const matching = db
    .selectFrom('projects as p')
    .leftJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 'p.id').on('m.direct_role', '=', 'owner'),
    )
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .where(({ eb, or }) =>
      or([eb('p.name', 'ilike', containsPattern(q)), eb('u.username', 'ilike', containsPattern(q))]),
    );
  const [rows, { total }] = await Promise.all([
    matching
      .select(['p.id', 'p.name', 'p.status', 'p.coverage', 'p.failure', 'p.indexed_at', 'p.created_at'])
      .select(['u.username as owner'])
      .select(
        sql<string>`(select count(*) from project_members as c where c.project_id = p.id)`.as('members'),
      )
      .orderBy('p.id', 'desc')
      .offset(skip)
      .limit(limit)
      .execute(),
    matching.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const projects = rows.map((row) => ({
    id: row.id,
    name: row.name,
    owner: row.owner,
    member_count: Number(row.members),
    status: row.status,
    commit_count: row.coverage?.commits ?? null,
    file_count: row.coverage?.indexed ?? null,
    failure: row.failure?.text ?? null,
    indexed_at: row.indexed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }));
  return { projects, total: Number(total) };
}
