import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { CommitWeeks } from '#contract/project-overview.ts';
import type { IngestDetails, PathMapping, RefreshHours } from '#contract/project-settings.ts';
import type { Activity, Coverage, PartialIndex, ProjectStatus } from '#contract/projects.ts';
import type { DefaultTimestamp, NullableJson, Timestamp } from './columns.ts';

/** Connected repositories. `shard_generation` names the folder that serves; null before the first phase ends. */
export interface ProjectsTable {
  id: string;
  /** Counts the projects of the server from 1; part of a DSN. */
  number: GeneratedAlways<number>;
  name: string;
  git_url: string;
  description: string | null;
  status: ProjectStatus;
  activity: NullableJson<Activity>;
  failure: NullableJson<Sentence>;
  branch: string | null;
  indexed_commit: string | null;
  indexed_at: Timestamp | null;
  /** Time of the last fetch, also of one without new commits. */
  fetched_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  coverage: NullableJson<Coverage>;
  shard_generation: string | null;
  /** Searchable part of `shard_generation` while it is not complete; null otherwise. */
  partial_index: NullableJson<PartialIndex>;
  /** Branch to index; null for the default branch of the remote. */
  chosen_branch: string | null;
  /** Hours between scheduled refreshes; null without a schedule. */
  refresh_hours: RefreshHours | null;
  /** Patterns of paths that are not indexed, and of paths whose content never reaches a model. */
  excluded_paths: ColumnType<string[], string | undefined, string>;
  model_excluded_paths: ColumnType<string[], string | undefined, string>;
  path_mappings: ColumnType<PathMapping[], string | undefined, string>;
  instructions: string | null;
  /** `excluded_paths` of the current index. */
  indexed_exclusions: ColumnType<string[], string | undefined, string>;
  /** Fetched commits that are not indexed; null before the first fetch. */
  behind: number | null;
  commit_weeks: NullableJson<CommitWeeks>;
  /** Editors may push, and to the default branch as well. */
  may_push: ColumnType<boolean, boolean | undefined, boolean>;
  may_push_default: ColumnType<boolean, boolean | undefined, boolean>;
  /** Editors may run commands of the repository in the sandbox. */
  may_run: ColumnType<boolean, boolean | undefined, boolean>;
  /** Command that prepares a checkout, and the hosts that it may reach. */
  setup_command: string | null;
  setup_hosts: ColumnType<string[], string | undefined, string>;
  /** Wider command that a patch must not make worse. */
  check_command: string | null;
  created_at: DefaultTimestamp;
  updated_at: DefaultTimestamp;
}

type MemberRole = 'owner' | 'editor' | 'viewer';

/**
 * Members of a project. `role` is the higher one of `direct_role` and `team_role`, kept by a trigger; the one owner of a project, who
 * pays and whose credential is used, has the direct role `owner`.
 */
export interface ProjectMembersTable {
  project_id: string;
  user_id: string;
  role: MemberRole;
  direct_role: ColumnType<MemberRole | null, MemberRole | null | undefined, MemberRole | null>;
  team_role: ColumnType<MemberRole | null, MemberRole | null | undefined, MemberRole | null>;
  created_at: DefaultTimestamp;
}

/**
 * Credential of a project's remote: an access token or a private key, encrypted. `host_keys` are lines of
 * known_hosts, pinned at the first connection by ssh.
 */
export interface CredentialsTable {
  project_id: string;
  kind: 'token' | 'ssh';
  host: string;
  /** The only URL that it is used for. */
  url: string;
  username: string | null;
  sealed: string;
  public_key: string | null;
  host_keys: string | null;
  created_by: string | null;
  created_at: DefaultTimestamp;
}

/** Invitations to a project, by the SHA-256 of their tokens. Accepting one deletes it. */
export interface ProjectInvitationsTable {
  id: string;
  project_id: string;
  digest: string;
  role: 'editor' | 'viewer';
  /** Restricts the invitation to this email; null: anyone with the link can accept it. */
  email: string | null;
  invited_by: string;
  created_at: DefaultTimestamp;
  expires_at: Timestamp;
}

/** Every run of the ingest job: what it did and how long each phase took. */
export interface IngestRunsTable {
  project_id: string;
  id: string;
  kind: 'import' | 'refresh';
  state: 'running' | 'done' | 'failed';
  started_at: DefaultTimestamp;
  finished_at: Timestamp | null;
  /** Milliseconds by phase. */
  phases: NullableJson<Record<string, number>>;
  failure: NullableJson<Sentence>;
  details: NullableJson<IngestDetails>;
}

/** Files and folders of projects as they lie in the object store, by their path below the folder of the project. */
export interface ProjectFilesTable {
  project_id: string;
  path: string;
  /** Files of a folder, or one without a name, each as the hashes of its pieces. */
  files: ColumnType<{ name: string; bytes: number; objects: string[] }[], string, string>;
  bytes: ColumnType<string, number, number>;
  published_at: DefaultTimestamp;
}

/** Repositories whose branches are rows. Every change of a branch or of what is published counts the version up. */
export interface RepositoriesTable {
  project_id: string;
  version: ColumnType<string, number | undefined, number | string>;
}

/** Packs of new commits in the object store, each as the hashes of its pieces, until the published repository has them. */
export interface RepositoryPacksTable {
  project_id: string;
  name: string;
  objects: string[];
  bytes: ColumnType<string, number, number>;
  created_at: DefaultTimestamp;
}
