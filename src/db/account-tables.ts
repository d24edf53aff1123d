import type { ColumnType, Generated } from 'kysely';
import type { DefaultTimestamp, Json, Timestamp } from './columns.ts';

/** People. `email` and `username` are unique without regard to case. */
export interface UsersTable {
  id: string;
  email: string;
  username: string;
  /** Null for somebody who signs in elsewhere alone. */
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
  /** What leaves the application, by mail and by push. */
  notification_scope: Generated<'all' | 'participating' | 'security'>;
  /** When the last letter about new notifications was written. */
  notification_email_sent_at: Timestamp | null;
  theme: Generated<'light' | 'dark' | 'system'>;
  language: Generated<'en' | 'es' | 'fr' | 'de'>;
  created_at: DefaultTimestamp;
  /** Null while nobody has followed a link that was sent to the address. */
  email_verified_at: Timestamp | null;
  /** A new address that takes the place of `email` once it is confirmed. */
  pending_email: string | null;
  /** The key of the second factor, sealed; null without one. */
  totp_secret: string | null;
  /** The same, shown to the user and not yet confirmed by a code. */
  totp_pending: string | null;
  /** The time step of the last code that was taken: no code works twice. */
  totp_last_step: ColumnType<string | null, number | null | undefined, number | null>;
  /** When the account is deleted for good, unless its owner signs in before. */
  deletion_at: Timestamp | null;
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

/** Secrets that work once, by the SHA-256 of what was handed out. What `data` holds depends on the purpose. */
export interface OneTimeTokensTable {
  digest: string;
  purpose: string;
  user_id: string | null;
  data: Json<object>;
  expires_at: Timestamp;
}

/** Codes that stand for the second factor, once each, by their digests. */
export interface RecoveryCodesTable {
  user_id: string;
  digest: string;
}

/** Accounts elsewhere that open an account here; `name` is what the user is called there. */
export interface IdentitiesTable {
  provider: 'github' | 'google';
  subject: string;
  user_id: string;
  name: string;
  created_at: DefaultTimestamp;
}

/** Invitations to make an account, by the digest of what their links carry. */
export interface SignupInvitationsTable {
  id: string;
  digest: string;
  /** Only this address may use it; null: whoever has the link. */
  email: string | null;
  invited_by: string | null;
  created_at: DefaultTimestamp;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}
