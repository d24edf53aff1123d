import { type Kysely, sql } from 'kysely';

/** Releases that calls create or events name, and the source maps of their generated files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table releases (
      project_id text not null references projects on delete cascade,
      id text not null unique default gen_random_uuid()::text,
      version text not null,
      commit text,
      first_event timestamptz,
      last_event timestamptz,
      created_by text references users on delete set null,
      created_at timestamptz not null default now(),
      primary key (project_id, version)
    );

    create table source_maps (
      project_id text not null references projects on delete cascade,
      id text not null unique,
      release text,
      path text,
      debug_id text,
      size integer not null,
      stored_bytes integer not null,
      created_by text references users on delete set null,
      created_at timestamptz not null default now(),
      primary key (project_id, id),
      check (debug_id is not null or (release is not null and path is not null))
    );
    create unique index source_maps_of_path on source_maps (project_id, release, path) where path is not null and release is not null;
    create unique index source_maps_of_debug_id on source_maps (project_id, debug_id) where debug_id is not null;
  `.execute(db);
}
