import type { ColumnType, Generated } from 'kysely';
import type { DebugAnswer, FixingCommit, Resolution } from '#contract/debug.ts';
import type { LabelledPlace, VerdictKind } from '#contract/error-groups.ts';
import type { DefaultTimestamp, Json, NullableJson, Timestamp } from './columns.ts';

/** Sessions with one fingerprint in a project belong together; the state is the group's. */
export interface DebugGroupsTable {
  /** Stays when groups are merged or split. */
  id: Generated<string>;
  project_id: string;
  fingerprint: string;
  state: Generated<'open' | 'solved' | 'regressed'>;
  /** Null while the first state holds. */
  state_changed_at: Timestamp | null;
  /** Null for a change by a recurrence. */
  state_changed_by: string | null;
  first_seen: DefaultTimestamp;
  last_seen: DefaultTimestamp;
  count: Generated<number>;
}

/** Occurrences of an error by day of UTC. */
export interface DebugGroupDaysTable {
  project_id: string;
  fingerprint: string;
  /** `2026-05-31`. */
  day: ColumnType<Date, string, string>;
  count: Generated<number>;
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
  fingerprint: string;
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
