import type { Preferences } from '#contract/account.ts';
import type { Sentence } from '#contract/common.ts';
import type { NotificationSubject } from '#contract/notifications.ts';
import type { WatchRef } from '#contract/watches.ts';
import type { MessageKey } from '#locales/format-message.ts';

/** Keys of the events in `notifications.json`; each has a title and a message in every language. */
export type NotificationName = NameOf<MessageKey>;
type NameOf<K> = K extends `notifications.event.${infer Name}.title` ? Name : never;

type Scope = Preferences['notification_scope'];

/** Possible account takeover. */
const SECURITY_NOTIFICATIONS = new Set<NotificationName>([
  'signed_in',
  'refresh_token_reused',
  'password_changed',
  'two_factor_enabled',
  'two_factor_disabled',
  'two_factor_reset',
  'recovery_code_used',
  'email_changed',
  'identity_linked',
  'deletion_canceled',
]);

/** Frequent events, sent to every member of a project. */
const ROUTINE_NOTIFICATIONS = new Set<NotificationName>([
  'project_updated',
  'history_rewritten',
  'refresh_failed',
  'error_new',
  'fixed_lines_changed',
]);

/** True when a notification is delivered by push or email under the user’s scope; one of a watch is no routine. */
export function matchesScope(
  { title, watch }: { title: Pick<Sentence, 'code'>; watch: WatchRef | null },
  scope: Scope,
): boolean {
  const name = title.code.split('.')[2] as NotificationName;
  if (SECURITY_NOTIFICATIONS.has(name)) return true;
  if (scope === 'participating') return watch !== null || !ROUTINE_NOTIFICATIONS.has(name);
  return scope === 'all';
}

/** True for notifications that are delivered with priority. */
export function isSecurityNotification(titleCode: string): boolean {
  return SECURITY_NOTIFICATIONS.has(titleCode.split('.')[2] as NotificationName);
}

const SUBJECTS: Record<NotificationName, NotificationSubject> = {
  project_ready: 'projects',
  project_updated: 'projects',
  history_rewritten: 'projects',
  project_failed: 'projects',
  refresh_failed: 'projects',
  error_new: 'errors',
  error_regressed: 'errors',
  error_woken: 'errors',
  error_assigned: 'errors',
  webhook_test: 'projects',
  credential_revoked: 'projects',
  project_shared: 'members',
  member_joined: 'members',
  feedback_helpful: 'answers',
  feedback_unhelpful: 'answers',
  fix_suggested: 'answers',
  fix_undone: 'errors',
  fixed_lines_changed: 'errors',
  watch_commits: 'watches',
  watched_error_assigned: 'errors',
  plan_changed: 'plan',
  trial_ending: 'plan',
  payment_failed: 'plan',
  budget_used: 'plan',
  signed_in: 'account',
  refresh_token_reused: 'account',
  password_changed: 'account',
  two_factor_enabled: 'account',
  two_factor_disabled: 'account',
  two_factor_reset: 'account',
  recovery_code_used: 'account',
  email_changed: 'account',
  identity_linked: 'account',
  deletion_canceled: 'account',
};

/** Subject of a notification, which is why its reader got it; stored ones may have names of older versions. */
export function subjectOf(titleCode: string): NotificationSubject {
  return SUBJECTS[titleCode.split('.')[2] as NotificationName] ?? 'projects';
}

/** Codes of the titles of a subject. */
export function titleCodes(subject: NotificationSubject): string[] {
  return Object.entries(SUBJECTS)
    .filter(([, of]) => of === subject)
    .map(([name]) => `notifications.event.${name}.title`);
}
