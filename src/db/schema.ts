import type { ColumnType, Generated } from 'kysely';
import type { AuditName } from '#contract/audit.ts';
import type { BacktestCase, BacktestMetrics } from '#contract/backtest.ts';
import type { PushedCommit } from '#contract/branch-fields.ts';
import type { PullRequestState, PushState } from '#contract/branches.ts';
import type { CodeHostKind } from '#contract/code-hosts.ts';
import type { Sentence } from '#contract/common.ts';
import type { PaymentState } from '#contract/payments.ts';
import type { BillingPeriod } from '#contract/plans.ts';
import type { SearchMatch } from '#contract/search-query.ts';
import type { WatchRef } from '#contract/watches.ts';
import type {
  IdentitiesTable,
  OneTimeTokensTable,
  RecoveryCodesTable,
  ScimTokensTable,
  SessionsTable,
  SignInProvidersTable,
  SignupInvitationsTable,
  UsersTable,
} from './account-tables.ts';
import type {
  ChatAttachmentsTable,
  ChatMessagesTable,
  ChatSummariesTable,
  ChatThreadsTable,
  EgressLogTable,
  ModelReservationsTable,
  ModelUsageTable,
  ProjectModelsTable,
  UserModelsTable,
} from './assistant-tables.ts';
import type {
  BillingDetailsTable,
  InvoiceCountersTable,
  InvoicesTable,
  WritableProjectsTable,
} from './billing-tables.ts';
import type { DefaultTimestamp, Json, NullableJson, Timestamp } from './columns.ts';
import type {
  DebugGroupDaysTable,
  DebugGroupHoursTable,
  DebugGroupKeysTable,
  DebugGroupsTable,
  DebugGroupValuesTable,
  DebugLabelsTable,
  DebugResolutionsTable,
  DebugSessionsTable,
  FeedbackTable,
  FixedCodeChangesTable,
  ReleasesTable,
  SourceMapsTable,
  UndoneFixesTable,
} from './debug-tables.ts';
import type { ErrorEventsTable, IntakeCountsTable, ProjectIntakesTable } from './intake-tables.ts';
import type {
  CommitIssuesTable,
  IssueCommentsTable,
  IssueImportsTable,
  IssuesTable,
} from './issue-tables.ts';
import type { CheckoutsTable, WatchesTable } from './member-tables.ts';
import type {
  CredentialsTable,
  IngestRunsTable,
  ProjectFilesTable,
  ProjectInvitationsTable,
  ProjectMembersTable,
  ProjectsTable,
  RepositoriesTable,
  RepositoryPacksTable,
} from './project-tables.ts';
import type { ProofResultsTable, ProofRunsTable, ProofsTable } from './proof-tables.ts';
import type { TeamGroupsTable, TeamMembersTable, TeamProjectsTable, TeamsTable } from './team-tables.ts';
import type { ProjectTestsTable, TestRunsTable } from './test-run-tables.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from './webhook-tables.ts';

/** API keys, by their SHA-256; `prefix` identifies a key to its owner. */
interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  prefix: string;
  digest: string;
  scope: 'read' | 'write';
  /** The one project that it grants access to; null for all. */
  project_id: string | null;
  created_at: DefaultTimestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

/** Security events of accounts and projects. */
export interface AuditEventsTable {
  id: string;
  user_id: string | null;
  event: AuditName;
  ip: string | null;
  device: string | null;
  detail: ColumnType<Record<string, string>, string | undefined, string>;
  created_at: DefaultTimestamp;
}

/** Notifications of users. `event_key` identifies the event, so that each is stored once. */
export interface NotificationsTable {
  user_id: string;
  id: string;
  event_key: string;
  type: 'info' | 'success' | 'warning' | 'error';
  title: Json<Sentence>;
  message: Json<Sentence>;
  action_url: string | null;
  /** Watch that its user has, and that it was sent for. */
  watch: NullableJson<WatchRef>;
  created_at: DefaultTimestamp;
  read_at: Timestamp | null;
  /** Deleted ones are kept for a while, so that they can be brought back. */
  deleted_at: Timestamp | null;
}

/** The signing secret of the webhooks of a project, and the most recent delivery. */
interface ProjectHooksTable {
  project_id: string;
  sealed_secret: string;
  /** User on whose behalf errors are investigated. */
  user_id: string | null;
  created_at: DefaultTimestamp;
  last_delivery_at: Timestamp | null;
  last_event: string | null;
  last_outcome: string | null;
}

/** Web Push subscriptions, while the login session lasts. Endpoint and keys are encrypted; `digest` is that of the endpoint. */
interface PushSubscriptionsTable {
  id: string;
  user_id: string;
  session_id: string;
  digest: string;
  sealed: string;
  created_at: DefaultTimestamp;
}

interface SettingsTable {
  key: string;
  value: Json<unknown>;
  updated_at: DefaultTimestamp;
}

/** Rate limit counters by key, and the times at which they reset. */
interface RateLimitsTable {
  key: string;
  count: number;
  last_at: Timestamp;
  resets_at: Timestamp;
}

/**
 * Branches that people save to, each with one owner. `head` is authoritative; the refs of a disk follow it. `base` is the indexed
 * commit that it was begun from.
 */
export interface BranchesTable {
  project_id: string;
  name: string;
  user_id: string;
  base: string;
  head: string;
  pushed_at: Timestamp | null;
  /** The debug session that it fixes. */
  session_id: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: DefaultTimestamp;
  /** Upper bound of what saves to it have written. */
  saved_bytes: ColumnType<string, number | undefined, number | string>;
}

/** A push: what it sends is fixed when it is requested. `remote_head` is where the target stood when it was reviewed. */
export interface PushesTable {
  project_id: string;
  id: string;
  user_id: string;
  /** The user's branch here. */
  branch: string;
  /** The branch of the remote. */
  target: string;
  git_url: string;
  head: string;
  commits: ColumnType<PushedCommit[], string, never>;
  /** Replaces `remote_head`, by a lease. */
  force: boolean;
  /** Null where the target does not exist; to be read before the first attempt unless `remote_head_known`. */
  remote_head: string | null;
  remote_head_known: boolean;
  state: ColumnType<PushState, PushState | undefined, PushState>;
  outcome: 'created' | 'updated' | 'replaced' | 'unchanged' | null;
  failure: NullableJson<Sentence>;
  /** Words of the host. */
  message: string | null;
  url: string | null;
  created_at: DefaultTimestamp;
  finished_at: Timestamp | null;
}

/** API of a project's code host. Its token is used for `git_url` only. */
export interface CodeHostsTable {
  project_id: string;
  kind: CodeHostKind;
  api_url: string;
  git_url: string;
  sealed_token: string | null;
  created_by: string | null;
  created_at: DefaultTimestamp;
}

/** A pull or merge request of a project's code host. */
export interface PullRequestsTable {
  project_id: string;
  id: string;
  user_id: string | null;
  session_id: string | null;
  host: string;
  number: number;
  url: string;
  branch: string;
  target: string;
  title: string;
  state: PullRequestState;
  checks: 'pending' | 'passed' | 'failed' | null;
  head: string | null;
  merge_commit: string | null;
  /** Reason for which its state could not be read lately. */
  failure: NullableJson<Sentence>;
  created_at: DefaultTimestamp;
  checked_at: DefaultTimestamp;
}

/** Paid plan of a user, derived from the captured payments, and the trial. */
export interface SubscriptionsTable {
  user_id: string;
  plan: Generated<'free' | 'pro'>;
  period: BillingPeriod | null;
  expires_at: Timestamp | null;
  cancel_at_period_end: Generated<boolean>;
  trial_ends_at: Timestamp | null;
  /** The user was notified of the end of the trial. */
  trial_end_notified: Generated<boolean>;
  /** Time of the reminder before the end of the trial. */
  trial_reminded_at: Timestamp | null;
}

/** Payment orders, at the price of their time. */
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
interface RefundsTable {
  id: string;
  payment_id: string;
  gateway_refund_id: string | null;
  state: 'requested' | 'pending' | 'processed' | 'failed';
  requested_by: string | null;
  created_at: Timestamp;
}

/** Events of the gateway that have had their effect. */
interface WebhookEventsTable {
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

/** Names are unique per user. */
interface SavedSearchesTable {
  id: string;
  user_id: string;
  name: string;
  query: string;
  match: SearchMatch;
  created_at: DefaultTimestamp;
}

export interface Database {
  users: UsersTable;
  sessions: SessionsTable;
  one_time_tokens: OneTimeTokensTable;
  recovery_codes: RecoveryCodesTable;
  identities: IdentitiesTable;
  signup_invitations: SignupInvitationsTable;
  sign_in_providers: SignInProvidersTable;
  scim_tokens: ScimTokensTable;
  projects: ProjectsTable;
  project_members: ProjectMembersTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  team_projects: TeamProjectsTable;
  team_groups: TeamGroupsTable;
  credentials: CredentialsTable;
  ingest_runs: IngestRunsTable;
  project_files: ProjectFilesTable;
  repositories: RepositoriesTable;
  repository_packs: RepositoryPacksTable;
  debug_groups: DebugGroupsTable;
  debug_group_keys: DebugGroupKeysTable;
  debug_group_days: DebugGroupDaysTable;
  debug_group_hours: DebugGroupHoursTable;
  debug_group_values: DebugGroupValuesTable;
  debug_labels: DebugLabelsTable;
  releases: ReleasesTable;
  test_runs: TestRunsTable;
  project_tests: ProjectTestsTable;
  proofs: ProofsTable;
  proof_runs: ProofRunsTable;
  proof_results: ProofResultsTable;
  source_maps: SourceMapsTable;
  fixed_code_changes: FixedCodeChangesTable;
  undone_fixes: UndoneFixesTable;
  debug_sessions: DebugSessionsTable;
  debug_resolutions: DebugResolutionsTable;
  feedback: FeedbackTable;
  chat_threads: ChatThreadsTable;
  chat_messages: ChatMessagesTable;
  chat_summaries: ChatSummariesTable;
  chat_attachments: ChatAttachmentsTable;
  user_models: UserModelsTable;
  project_models: ProjectModelsTable;
  model_usage: ModelUsageTable;
  model_reservations: ModelReservationsTable;
  notifications: NotificationsTable;
  push_subscriptions: PushSubscriptionsTable;
  settings: SettingsTable;
  subscriptions: SubscriptionsTable;
  orders: OrdersTable;
  payments: PaymentsTable;
  refunds: RefundsTable;
  billing_details: BillingDetailsTable;
  invoice_counters: InvoiceCountersTable;
  invoices: InvoicesTable;
  writable_projects: WritableProjectsTable;
  webhook_events: WebhookEventsTable;
  watches: WatchesTable;
  checkouts: CheckoutsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  rate_limits: RateLimitsTable;
  branches: BranchesTable;
  pushes: PushesTable;
  code_hosts: CodeHostsTable;
  pull_requests: PullRequestsTable;
  backtests: BacktestsTable;
  project_invitations: ProjectInvitationsTable;
  api_keys: ApiKeysTable;
  audit_events: AuditEventsTable;
  egress_log: EgressLogTable;
  project_hooks: ProjectHooksTable;
  saved_searches: SavedSearchesTable;
  project_intakes: ProjectIntakesTable;
  error_events: ErrorEventsTable;
  intake_counts: IntakeCountsTable;
  issue_imports: IssueImportsTable;
  issues: IssuesTable;
  issue_comments: IssueCommentsTable;
  commit_issues: CommitIssuesTable;
}
