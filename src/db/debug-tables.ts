import type { ColumnType, Generated } from 'kysely';
import type { DebugAnswer, FixingCommit, Resolution } from '#contract/debug.ts';
import type { ErrorGroup, ErrorState, LabelledPlace, VerdictKind } from '#contract/error-groups.ts';
import type { DefaultTimestamp, Json, NullableJson, Timestamp } from './columns.ts';

/** Occurrences of one error in a project belong together; `fingerprint` names the group and is its first key. */
export interface DebugGroupsTable {
  /** Stays when groups are merged or split. */
  id: Generated<string>;
  project_id: string;
  fingerprint: string;
  /** Of the newest occurrence that all members may see. */
  title: Generated<string>;
  culprit: string | null;
  /** Of the newest event. */
  level: ErrorGroup['level'];
  state: Generated<ErrorState>;
  /** Null while the first state holds. */
  state_changed_at: Timestamp | null;
  /** Null for a change by a recurrence. */
  state_changed_by: string | null;
  first_seen: DefaultTimestamp;
  last_seen: DefaultTimestamp;
  count: Generated<number>;
  /** Of `count`, those that arrived as events. */
  event_count: Generated<number>;
  assignee_id: string | null;
  /** Release that solves it, or the one before that; null unless solved. */
  solved_in: string | null;
  solved_after: string | null;
  /** End of snoozing: a time, a value of `count`, or an event of a release after this one. */
  snoozed_until: Timestamp | null;
  snoozed_count: number | null;
  snoozed_release: string | null;
  /** Group that has its keys and sessions since a merge. */
  merged_into: string | null;
  first_release: string | null;
  last_release: string | null;
  /** Progress of the first answer. */
  investigation: Generated<'waiting' | 'running' | 'done' | 'failed'>;
  investigated_at: Timestamp | null;
}

/** Fingerprints of errors, and the group to which each belongs. */
export interface DebugGroupKeysTable {
  project_id: string;
  key: string;
  /** Of the group. */
  fingerprint: string;
  title: Generated<string>;
  count: Generated<number>;
  event_count: Generated<number>;
  first_seen: DefaultTimestamp;
  last_seen: DefaultTimestamp;
}

/** Occurrences of a key by day of UTC. */
export interface DebugGroupDaysTable {
  project_id: string;
  key: string;
  /** `2026-05-31`. */
  day: ColumnType<Date, string, string>;
  count: Generated<number>;
}

/** Occurrences of a key by hour; hours that no chart shows are deleted. */
export interface DebugGroupHoursTable {
  project_id: string;
  key: string;
  hour: Timestamp;
  count: number;
}

/**
 * Events of a key by the value of a tag, by release and by environment, and the releases in which the solved error came back;
 * bounded by key.
 */
export interface DebugGroupValuesTable {
  project_id: string;
  key: string;
  kind: 'tag' | 'release' | 'environment' | 'regression';
  /** Of the tag; empty for others. */
  name: string;
  value: string;
  count: number;
  first_seen: Timestamp;
  last_seen: Timestamp;
}

/** Releases that calls created or events name. */
export interface ReleasesTable {
  project_id: string;
  id: Generated<string>;
  version: string;
  /** Full hash; null where only events name the release. */
  commit: string | null;
  first_event: Timestamp | null;
  last_event: Timestamp | null;
  created_by: string | null;
  created_at: DefaultTimestamp;
}

/** Uploaded source maps; their contents are files of the project's data folder. */
export interface SourceMapsTable {
  project_id: string;
  id: string;
  release: string | null;
  path: string | null;
  /** 32 hexadecimal digits. */
  debug_id: string | null;
  /** Bytes as uploaded, and as stored. */
  size: number;
  stored_bytes: number;
  created_by: string | null;
  created_at: DefaultTimestamp;
}

/** A commit that changed lines which an earlier fix had written: the fix of most of them. */
export interface FixedCodeChangesTable {
  project_id: string;
  /** Full hashes. */
  commit: string;
  fix: string;
  subject: string;
  author: string;
  committed_at: Timestamp;
  path: string;
  fix_subject: string;
  found_at: DefaultTimestamp;
}

/** A commit that removed an earlier fix. */
export interface UndoneFixesTable {
  project_id: string;
  /** Full hashes. */
  commit: string;
  fix: string;
  subject: string;
  author: string;
  committed_at: Timestamp;
  /** File and line before the commit. */
  path: string;
  line: number;
  basis: 'lines' | 'revert';
  fix_subject: string;
  found_at: DefaultTimestamp;
}

/** A member's statement which suspect or which place of an answer was right. */
export interface DebugLabelsTable {
  project_id: string;
  session_id: string;
  user_id: string;
  /** Full hash. */
  commit: string | null;
  place: NullableJson<LabelledPlace>;
  created_at: DefaultTimestamp;
}

export interface DebugSessionsTable {
  project_id: string;
  id: string;
  user_id: string;
  /** Counts the caller's sessions from 1. */
  number: number;
  /** Of the group. */
  fingerprint: string;
  /** Fingerprint of the error where the group has several; null when it is the group's own. */
  key: ColumnType<string | null, string | null | undefined, string | null>;
  /** Type and first line of the error. */
  title: string;
  request: Json<Record<string, unknown>>;
  answer: Json<DebugAnswer>;
  /** Refers to a commit that only the author's own branch reaches: visible to the author alone. */
  draft: Generated<boolean>;
  /** Generated from `answer`. Null in older answers. */
  kind: ColumnType<VerdictKind | null, never, never>;
  /** Generated from `answer`: its most probable cause, at most 1,000 characters. */
  cause: ColumnType<string | null, never, never>;
  created_at: DefaultTimestamp;
}

/** A commit that may have fixed the error of a session, once a member confirms it. */
export interface DebugResolutionsTable {
  project_id: string;
  session_id: string;
  /** Full hash. */
  commit: string;
  fixing_commit: Json<FixingCommit>;
  state: Generated<Resolution['state']>;
  suggested_at: DefaultTimestamp;
  decided_at: Timestamp | null;
  decided_by: string | null;
}

/** One rating per user and session. */
export interface FeedbackTable {
  project_id: string;
  id: string;
  session_id: string;
  user_id: string;
  helpful: boolean;
  comments: string | null;
  created_at: DefaultTimestamp;
}
