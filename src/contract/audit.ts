import { z } from 'zod';
import { MAX_PAGE, paging, timestamp } from './common.ts';
import { route } from './route.ts';

/** Everything that the record of security events can hold; each has a sentence in `audit.json` of every language. */
const auditName = z.enum([
  'signed_up',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_revoked',
  'sessions_revoked',
  'refresh_token_reused',
  'password_changed',
  'password_reset_requested',
  'password_reset',
  'email_change_requested',
  'email_changed',
  'email_verified',
  'username_changed',
  'two_factor_enabled',
  'two_factor_disabled',
  'two_factor_reset',
  'two_factor_failed',
  'recovery_code_used',
  'recovery_codes_generated',
  'identity_linked',
  'identity_unlinked',
  'data_exported',
  'deletion_requested',
  'deletion_canceled',
  'account_deactivated',
  'account_reactivated',
  'role_changed',
  'model_set',
  'model_removed',
  'own_model_set',
  'own_model_removed',
  'own_model_policy_set',
  'signup_mode_changed',
  'signup_invitation_created',
  'feature_enabled',
  'feature_disabled',
  'job_stopped',
  'key_created',
  'key_revoked',
  'project_created',
  'project_updated',
  'project_url_changed',
  'project_deleted',
  'project_transferred',
  'member_added',
  'member_role_changed',
  'member_removed',
  'member_left',
  'invitation_created',
  'invitation_accepted',
  'invitation_revoked',
  'credential_saved',
  'credential_removed',
  'host_key_pinned',
  'intake_enabled',
  'intake_disabled',
  'intake_key_rotated',
  'intake_settings_changed',
  'host_allowed',
  'host_blocked',
  'release_created',
  'release_deleted',
  'source_maps_deleted',
  'branch_pushed',
  'pull_request_opened',
  'code_host_saved',
  'code_host_removed',
]);
export type AuditName = z.infer<typeof auditName>;

/** One thing that happened. `detail` holds names for the sentence, never a secret. */
const auditEvent = z.object({
  id: z.string(),
  event: auditName,
  ip: z.string().nullable(),
  /** Browser and system, or a program's name. */
  device: z.string().nullable(),
  detail: z.record(z.string(), z.string()),
  created_at: timestamp,
});
export type AuditEvent = z.infer<typeof auditEvent>;

export const auditRoutes = {
  mine: route({
    method: 'GET',
    path: '/auth/events',
    summary: "List security events of the caller's account, newest first",
    query: paging,
    reply: z.object({ events: z.array(auditEvent).max(MAX_PAGE), has_more: z.boolean() }),
  }),
  all: route({
    method: 'GET',
    path: '/admin/events',
    access: 'admin',
    summary: 'List security events of all accounts, newest first',
    query: paging.extend({ user_id: z.string().max(64).optional() }),
    reply: z.object({
      events: z
        .array(auditEvent.extend({ user_id: z.string().nullable(), username: z.string().nullable() }))
        .max(MAX_PAGE),
      has_more: z.boolean(),
    }),
  }),
};
