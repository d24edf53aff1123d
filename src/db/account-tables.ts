import type { ColumnType, Generated } from 'kysely';
import type { LocalEditor } from '#contract/local-editors.ts';
import type { DefaultTimestamp, Json, Timestamp } from './columns.ts';

/** People. `email` and `username` are unique without regard to case. */
export interface UsersTable {
  id: string;
  email: string;
  username: string;
  /** Null for an account that signs in by OAuth only. */
  password_hash: string | null;
  full_name: string | null;
  bio: string | null;
  location: string | null;
  website: string | null;
  role: 'admin' | 'user';
  subscription_plan: Generated<'free' | 'pro' | 'enterprise'>;
  is_active: Generated<boolean>;
  email_notifications: Generated<boolean>;
  push_notifications: Generated<boolean>;
  /** Notifications that are also sent by email and push. */
  notification_scope: Generated<'all' | 'participating' | 'security'>;
  /** Time of the last email about new notifications. */
  notification_email_sent_at: Timestamp | null;
  /** Emails about notifications: at once, or once a day. */
  email_frequency: Generated<'immediate' | 'daily'>;
  /** Time up to which the last daily email reports. */
  daily_digest_at: Timestamp | null;
  /** Editor on the user's computer; null without one. */
  local_editor: ColumnType<LocalEditor | null, LocalEditor | null | undefined, LocalEditor | null>;
  theme: Generated<'light' | 'dark' | 'system'>;
  language: Generated<'en' | 'es' | 'fr' | 'de'>;
  created_at: DefaultTimestamp;
  /** Null until the link in the verification email is opened. */
  email_verified_at: Timestamp | null;
  /** New email that replaces `email` once it is verified. */
  pending_email: string | null;
  /** The key of the second factor, sealed; null without one. */
  totp_secret: string | null;
  /** The same, shown to the user and not yet confirmed by a code. */
  totp_pending: string | null;
  /** The time step of the last code that was taken: no code works twice. */
  totp_last_step: ColumnType<string | null, number | null | undefined, number | null>;
  /** Time of permanent deletion, unless the owner signs in before. */
  deletion_at: Timestamp | null;
  /** Sign-in provider whose groups granted the role of an administrator; null for a role given by hand. */
  role_source: ColumnType<string | null, string | null | undefined, string | null>;
  /** Id and userName in the directory that provisions the account by SCIM. */
  external_id: ColumnType<string | null, string | null | undefined, string | null>;
  scim_user_name: ColumnType<string | null, string | null | undefined, string | null>;
  /** Time at which the directory removed the account, which hides it from the directory. */
  scim_removed_at: Timestamp | null;
}

/** Tokens of directories, by their SHA-256. */
export interface ScimTokensTable {
  id: string;
  name: string;
  prefix: string;
  digest: string;
  created_by: string | null;
  created_at: DefaultTimestamp;
  last_used_at: Timestamp | null;
}

/** OpenID Connect issuers of administrators, beside those of `OIDC_ISSUERS`. */
export interface SignInProvidersTable {
  id: string;
  name: string;
  issuer: string;
  client_id: string;
  sealed_secret: string;
  scopes: string;
  groups_claim: string;
  admin_groups: ColumnType<string[], string, string>;
  created_at: DefaultTimestamp;
}

/** Sign-ins; one refresh-token family each. `counter` is the number of the token that is current. */
export interface SessionsTable {
  id: string;
  user_id: string;
  counter: Generated<number>;
  remember: boolean;
  user_agent: string | null;
  created_at: DefaultTimestamp;
  rotated_at: DefaultTimestamp;
  last_seen: DefaultTimestamp;
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
}

/** One-time tokens, by their SHA-256. The shape of `data` depends on the purpose. */
export interface OneTimeTokensTable {
  digest: string;
  purpose: string;
  user_id: string | null;
  data: Json<object>;
  expires_at: Timestamp;
}

/** Digests of one-time recovery codes for two-factor authentication. */
export interface RecoveryCodesTable {
  user_id: string;
  digest: string;
}

/** Linked OAuth accounts; `name` is the username at the provider. Subjects of OpenID Connect are `issuer sub`. */
export interface IdentitiesTable {
  provider: string;
  subject: string;
  user_id: string;
  name: string;
  created_at: DefaultTimestamp;
}

/** Invitations to sign up, by the digest of their tokens. */
export interface SignupInvitationsTable {
  id: string;
  digest: string;
  /** Restricts the invitation to this email; null: anyone with the link can use it. */
  email: string | null;
  invited_by: string | null;
  created_at: DefaultTimestamp;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}
