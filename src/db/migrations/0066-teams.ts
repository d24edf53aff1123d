import { type Kysely, sql } from 'kysely';

/**
 * Teams, their members and projects. `project_members` has one row per person with the highest role that they have directly or
 * through teams, so that every query of a project's members stays as it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table teams (
      id text primary key,
      name text not null,
      external_id text unique,
      created_by text references users on delete set null,
      created_at timestamptz not null default now()
    );
    create unique index teams_name on teams (lower(name));

    create table team_members (
      team_id text not null references teams on delete cascade,
      user_id text not null references users on delete cascade,
      role text not null check (role in ('owner', 'member')),
      source text not null default 'manual',
      created_at timestamptz not null default now(),
      primary key (team_id, user_id)
    );
    create index team_members_of_user on team_members (user_id);

    create table team_projects (
      project_id text not null references projects on delete cascade,
      team_id text not null references teams on delete cascade,
      role text not null check (role in ('owner', 'editor', 'viewer')),
      created_at timestamptz not null default now(),
      primary key (project_id, team_id)
    );
    create index team_projects_of_team on team_projects (team_id);

    create table team_groups (
      provider text not null,
      group_name text not null,
      team_id text not null references teams on delete cascade,
      primary key (provider, group_name, team_id)
    );
    create index team_groups_of_team on team_groups (team_id);

    alter table project_members
      add column direct_role text check (direct_role in ('owner', 'editor', 'viewer')),
      add column team_role text check (team_role in ('owner', 'editor', 'viewer'));
    update project_members set direct_role = role;
    drop index project_members_one_owner;
    create unique index project_members_one_owner on project_members (project_id) where direct_role = 'owner';

    create function set_member_role() returns trigger language plpgsql as $$
    declare
      ranks constant text[] := array['viewer', 'editor', 'owner'];
    begin
      -- A statement that knows one role only sets the direct one.
      if tg_op = 'INSERT' then
        if new.direct_role is null and new.team_role is null then
          new.direct_role := new.role;
        end if;
      elsif new.role is distinct from old.role
        and new.direct_role is not distinct from old.direct_role
        and new.team_role is not distinct from old.team_role then
        new.direct_role := new.role;
      end if;
      new.role := ranks[greatest(
        coalesce(array_position(ranks, new.direct_role), 0),
        coalesce(array_position(ranks, new.team_role), 0)
      )];
      return new;
    end $$;
    create trigger project_members_role before insert or update on project_members
      for each row execute function set_member_role();
  `.execute(db);
}
