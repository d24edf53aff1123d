import type { ErrorKey } from '#contract/errors.ts';

/** Messages by the `reason` of a refused sign-in or sign-up, which redirects pass in the `social` query parameter. */
const MESSAGES: Readonly<Record<string, ErrorKey>> = {
  access_denied: 'oauth_denied',
  account_not_linked: 'external_email_in_use',
  deactivated: 'account_deactivated',
  email_unverified: 'external_email_unverified',
  first_account: 'first_account_needs_password',
  invitation_invalid: 'signup_invitation_invalid',
  invitation_required: 'signup_invitation_required',
  not_configured: 'oauth_not_configured',
  signup_closed: 'signup_closed',
  sso_required: 'sso_required',
  state_mismatch: 'oauth_state_mismatch',
};

/** Locale key of the message, general for a reason without one. */
export function refusalMessage(reason: string): string {
  const key = MESSAGES[reason];
  return key ? `errors:${key}` : 'auth:social.failed';
}
