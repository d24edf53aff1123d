import type { ColumnType, Generated } from 'kysely';
import type { DefaultTimestamp, Json } from './columns.ts';

/** Intake of error events of a project: the public key in its DSN, and settings. No row: never set up. */
export interface ProjectIntakesTable {
  project_id: string;
  /** 32 hexadecimal digits. Not a secret: it is part of browser bundles and permits sending only. */
  key: string;
  enabled: Generated<boolean>;
  retention_days: Generated<number>;
  /** Removes passwords, keys, cards, emails, IPs and cookies before events are stored. */
  scrub_defaults: Generated<boolean>;
  /** Further names of fields to remove. */
  scrub_fields: ColumnType<string[], string | undefined, string>;
  created_by: string | null;
  created_at: DefaultTimestamp;
  key_created_at: DefaultTimestamp;
}

/** Accepted error events, each stored once. */
export interface ErrorEventsTable {
  project_id: string;
  /** Id of the sender: 32 hexadecimal digits. */
  id: string;
  received_at: DefaultTimestamp;
  /** `at` of the event. */
  occurred_at: DefaultTimestamp;
  /** An `ErrorEvent` of `intake/error-event.ts`. */
  event: Json<object>;
  /** Group of the event; null until the job `group-events` has found it. */
  fingerprint: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Events of a project by day of UTC: accepted, or dropped for a reason. */
export interface IntakeCountsTable {
  project_id: string;
  /** `2026-05-31`. */
  day: ColumnType<Date, string, string>;
  /** `accepted`, or the reason: `rate_limited`, `transaction`, `replay` … */
  outcome: string;
  count: ColumnType<string, number, number>;
}
