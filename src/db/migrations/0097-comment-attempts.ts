import { type Kysely, sql } from 'kysely';

/** Counts failed attempts to read the comments of an issue and delays the next one; keeps the bytes of a project's comments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table issues
      add column comments_attempts integer not null default 0,
      add column comments_retry_at timestamptz;

    alter table issue_imports add column comment_bytes integer not null default 0;
    update issue_imports i set comment_bytes = c.bytes
    from (select project_id, sum(size) as bytes from issue_comments group by project_id) c
    where c.project_id = i.project_id;
  `.execute(db);
}
