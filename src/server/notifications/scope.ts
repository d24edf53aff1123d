import type { Preferences } from '#contract/account.ts';
import type { NoticeName } from './sentences.ts';

type Scope = Preferences['notification_scope'];

/** Somebody else may be at work in the reader's account. */
const SECURITY = new Set<NoticeName>([
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
const PASSING = new Set<NoticeName>(['project_updated', 'project_rewritten', 'refresh_failed']);

/** Whether a notification with this title may leave the application for a reader who wants so much. */
export function leaves(titleCode: string, scope: Scope): boolean {
  const name = titleCode.split('.')[2] as NoticeName;
  if (SECURITY.has(name)) return true;
  return scope === 'everything' || (scope === 'mine' && !PASSING.has(name));
}

/** Whether it should be told soon. */
export function isUrgent(titleCode: string): boolean {
  return SECURITY.has(titleCode.split('.')[2] as NoticeName);
}
