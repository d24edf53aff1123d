import type { Preferences } from '#contract/account.ts';
import type { NotificationName } from './notification-text.ts';

type Scope = Preferences['notification_scope'];

/** Somebody else may be at work in the reader's account. */
const SECURITY = new Set<NotificationName>([
  'signed_in',
  'sign_in_copied',
  'password_changed',
  'two_factor_on',
  'two_factor_off',
  'two_factor_reset',
  'recovery_code_used',
  'email_changed',
  'identity_linked',
  'account_kept',
]);

/** What happens to every member of a project, again and again. */
const PASSING = new Set<NotificationName>(['project_updated', 'project_rewritten', 'refresh_failed']);

/** Whether a notification with this title may leave the application for a reader who wants so much. */
export function matchesScope(titleCode: string, scope: Scope): boolean {
  const name = titleCode.split('.')[2] as NotificationName;
  if (SECURITY.has(name)) return true;
  return scope === 'everything' || (scope === 'mine' && !PASSING.has(name));
}

/** Whether it should be told soon. */
export function isSecurityNotification(titleCode: string): boolean {
  return SECURITY.has(titleCode.split('.')[2] as NotificationName);
}
