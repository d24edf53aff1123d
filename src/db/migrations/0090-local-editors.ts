import { type Kysely, sql } from 'kysely';

/** The editor on the reader's computer, and where their clones of projects are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column local_editor text;
    create table checkouts (
      project_id text not null references projects on delete cascade,
      user_id text not null,
      folder text not null,
      primary key (project_id, user_id),
      foreign key (project_id, user_id) references project_members on delete cascade
    );
    create index checkouts_of_user on checkouts (user_id);
  `.execute(db);
}
