import type { ColumnType, Generated } from 'kysely';
import type { AuditName } from '#contract/audit.ts';
import type { BacktestCase, BacktestMetrics } from '#contract/backtest.ts';
import type { Sentence } from '#contract/common.ts';
import type { DebugAnswer, FixingCommit, Resolution } from '#contract/debug.ts';
import type { PaymentState } from '#contract/payments.ts';
import type { BillingPeriod } from '#contract/plans.ts';
import type { Activity, Coverage, ProjectStatus } from '#contract/projects.ts';
import type {
  IdentitiesTable,
  OneTimeTokensTable,
  RecoveryCodesTable,
  SessionsTable,
  SignupInvitationsTable,
  UsersTable,
} from './account-tables.ts';
import type {
  ChatMessagesTable,
  ChatSummariesTable,
  ChatThreadsTable,
  EgressLogTable,
  ModelReservationsTable,
  ModelUsageTable,
} from './assistant-tables.ts';
import type { DefaultTimestamp, Json, NullableJson, Timestamp } from './columns.ts';

/** Connected repositories. `shard_generation` names the folder that serves; null before the first phase ends. */
export interface ProjectsTable {
  id: string;
  name: string;
  git_url: string;
  description: string | null;
  status: ProjectStatus;
  activity: NullableJson<Activity>;
  failure: NullableJson<Sentence>;
  branch: string | null;
  indexed_commit: string | null;
  indexed_at: Timestamp | null;
  /** When the repository was last fetched, whether or not there was something new. */
  fetched_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  coverage: NullableJson<Coverage>;
  shard_generation: string | null;
  created_at: DefaultTimestamp;
  updated_at: DefaultTimestamp;
}

export interface ProjectMembersTable {
  project_id: string;
  user_id: string;
  role: 'owner' | 'editor' | 'viewer';
  created_at: DefaultTimestamp;
}

/**
 * What opens a project's remote: an access token or a private key, sealed by the encrypted box. `host_keys` are lines of
 * known_hosts, pinned at the first connection by ssh.
 */
export interface CredentialsTable {
  project_id: string;
  kind: 'token' | 'ssh';
  host: string;
  /** The URL that it was given for; it opens no other. */
  url: string;
  username: string | null;
  sealed: string;
  public_key: string | null;
  host_keys: string | null;
  created_by: string | null;
  created_at: DefaultTimestamp;
}

/** Invitations into a project, by the SHA-256 of what their links carry. One is deleted when it is taken. */
export interface ProjectInvitationsTable {
  id: string;
  project_id: string;
  digest: string;
  role: 'editor' | 'viewer';
  /** Only the account with this address may take it; null: whoever has the link. */
  email: string | null;
  invited_by: string;
  created_at: DefaultTimestamp;
  expires_at: Timestamp;
}

/** Keys for programs, by their SHA-256; `prefix` is what their owner tells them apart by. */
export interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  prefix: string;
  digest: string;
  scope: 'read' | 'write';
  /** The one project that it opens; null for all. */
  project_id: string | null;
  created_at: DefaultTimestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

/** What happened to somebody's account and projects that bears on safety. */
export interface AuditEventsTable {
  id: string;
  user_id: string | null;
  event: AuditName;
  ip: string | null;
  device: string | null;
  detail: ColumnType<Record<string, string>, string | undefined, string>;
  created_at: DefaultTimestamp;
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
}

/** Sessions with one fingerprint in a project belong together; the state is the group's. */
export interface DebugGroupsTable {
  project_id: string;
  fingerprint: string;
  state: Generated<'open' | 'solved' | 'regressed'>;
  first_seen: DefaultTimestamp;
  last_seen: DefaultTimestamp;
  count: Generated<number>;
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
  /** About a commit that only its author's own branch reaches: nobody else is shown it. */
  draft: Generated<boolean>;
  created_at: DefaultTimestamp;
}

/** A commit that may have mended what a session asked about; it counts once a member has confirmed it. */
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

/** One verdict a user and session. */
export interface FeedbackTable {
  project_id: string;
  id: string;
  session_id: string;
  user_id: string;
  helpful: boolean;
  comments: string | null;
  created_at: DefaultTimestamp;
}

/** What a user is told. `event_key` names what happened, so that it is told once. */
export interface NotificationsTable {
  user_id: string;
  id: string;
  event_key: string;
  type: 'info' | 'success' | 'warning' | 'error';
  title: Json<Sentence>;
  message: Json<Sentence>;
  action_url: string | null;
  created_at: DefaultTimestamp;
  read_at: Timestamp | null;
  /** Deleted ones are kept for a while, so that they can be brought back. */
  deleted_at: Timestamp | null;
}

/** The secret that webhooks of a project are signed with, and what came last. */
export interface ProjectHooksTable {
  project_id: string;
  sealed_secret: string;
  /** In whose name errors are investigated. */
  user_id: string | null;
  created_at: DefaultTimestamp;
  last_delivery_at: Timestamp | null;
  last_event: string | null;
  last_outcome: string | null;
}

/** Browsers that take Web Push, while the sign-in lasts. The address and its keys are sealed; `digest` is the address's. */
export interface PushSubscriptionsTable {
  id: string;
  user_id: string;
  session_id: string;
  digest: string;
  sealed: string;
  created_at: DefaultTimestamp;
}

export interface SettingsTable {
  key: string;
  value: Json<unknown>;
  updated_at: DefaultTimestamp;
}

/** How often something was tried: a key of ours, and when its count starts again. */
export interface RateLimitsTable {
  key: string;
  count: number;
  last_at: Timestamp;
  resets_at: Timestamp;
}

/**
 * Branches that people save to, each with one owner. The branch in the repository is the truth: `head` follows it
 * after every save. `base` is the indexed commit that it was begun from.
 */
export interface BranchesTable {
  project_id: string;
  name: string;
  user_id: string;
  base: string;
  head: string;
  pushed_at: Timestamp | null;
  created_at: DefaultTimestamp;
  /** Upper bound of what saves to it have written. */
  saved_bytes: ColumnType<string, number | undefined, number | string>;
}

/** What somebody may use, as the captured payments say, and their trial. */
export interface SubscriptionsTable {
  user_id: string;
  plan: Generated<'free' | 'pro'>;
  period: BillingPeriod | null;
  expires_at: Timestamp | null;
  cancel_at_period_end: Generated<boolean>;
  trial_ends_at: Timestamp | null;
  /** The end of the trial has been told. */
  trial_end_notified: Generated<boolean>;
}

/** What somebody set out to buy, at the price of that moment. */
export interface OrdersTable {
  id: string;
  user_id: string | null;
  /** Null until the gateway has answered. */
  gateway_order_id: string | null;
  idempotency_key: string;
  plan: 'pro';
  period: BillingPeriod;
  amount_minor: number;
  currency: string;
  state: Generated<'created' | 'attempted' | 'paid'>;
  created_at: Timestamp;
}

/** A try to pay an order; its state only moves forward. */
export interface PaymentsTable {
  id: string;
  order_id: string;
  gateway_payment_id: string;
  state: PaymentState;
  created_at: Timestamp;
  captured_at: Timestamp | null;
}

/** Money on its way back. At most one of a payment has not failed. */
export interface RefundsTable {
  id: string;
  payment_id: string;
  gateway_refund_id: string | null;
  state: 'requested' | 'pending' | 'processed' | 'failed';
  requested_by: string | null;
  created_at: Timestamp;
}

/** Events of the gateway that have had their effect. */
export interface WebhookEventsTable {
  id: string;
  type: string;
  received_at: Timestamp;
}

/** Replays of past fixes; at most one a project is running. `seed` is null when the last fixes were taken. */
export interface BacktestsTable {
  project_id: string;
  id: string;
  state: 'running' | 'done' | 'failed';
  commit: string;
  fixes: number;
  seed: string | null;
  total: number | null;
  cases: ColumnType<BacktestCase[], string | undefined, string>;
  metrics: NullableJson<BacktestMetrics>;
  failure: NullableJson<Sentence>;
  started_at: DefaultTimestamp;
  finished_at: Timestamp | null;
}

export interface Database {
  users: UsersTable;
  sessions: SessionsTable;
  one_time_tokens: OneTimeTokensTable;
  recovery_codes: RecoveryCodesTable;
  identities: IdentitiesTable;
  signup_invitations: SignupInvitationsTable;
  projects: ProjectsTable;
  project_members: ProjectMembersTable;
  credentials: CredentialsTable;
  ingest_runs: IngestRunsTable;
  debug_groups: DebugGroupsTable;
  debug_sessions: DebugSessionsTable;
  debug_resolutions: DebugResolutionsTable;
  feedback: FeedbackTable;
  chat_threads: ChatThreadsTable;
  chat_messages: ChatMessagesTable;
  chat_summaries: ChatSummariesTable;
  model_usage: ModelUsageTable;
  model_reservations: ModelReservationsTable;
  notifications: NotificationsTable;
  push_subscriptions: PushSubscriptionsTable;
  settings: SettingsTable;
  subscriptions: SubscriptionsTable;
  orders: OrdersTable;
  payments: PaymentsTable;
  refunds: RefundsTable;
  webhook_events: WebhookEventsTable;
  rate_limits: RateLimitsTable;
  branches: BranchesTable;
  backtests: BacktestsTable;
  project_invitations: ProjectInvitationsTable;
  api_keys: ApiKeysTable;
  audit_events: AuditEventsTable;
  egress_log: EgressLogTable;
  project_hooks: ProjectHooksTable;
}
