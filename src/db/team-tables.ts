import type { ColumnType } from 'kysely';
import type { DefaultTimestamp } from './columns.ts';

/** Teams; `external_id` is their id in the directory that provisions them by SCIM. */
export interface TeamsTable {
  id: string;
  name: string;
  external_id: ColumnType<string | null, string | null | undefined, string | null>;
  created_by: string | null;
  created_at: DefaultTimestamp;
}

/** Members of teams. `source` is `manual`, `scim`, or the sign-in provider whose group they are in. */
export interface TeamMembersTable {
  team_id: string;
  user_id: string;
  role: 'owner' | 'member';
  source: ColumnType<string, string | undefined, string>;
  created_at: DefaultTimestamp;
}

/** Access of teams to projects; `project_members` follows it. */
export interface TeamProjectsTable {
  project_id: string;
  team_id: string;
  role: 'owner' | 'editor' | 'viewer';
  created_at: DefaultTimestamp;
}

/** Groups of sign-in providers whose members are members of a team. */
export interface TeamGroupsTable {
  provider: string;
  group_name: string;
  team_id: string;
}
