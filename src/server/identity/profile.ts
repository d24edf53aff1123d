import type { Selectable } from 'kysely';
import type { Profile } from '#contract/account.ts';
import { AppError } from '#contract/errors.ts';
import type { UsersTable } from '#db/account-tables.ts';
import type { Deps, ServerConfig } from '../deps.ts';
import { readSignInPolicy } from './sign-in-policy.ts';

export type UserRow = Selectable<UsersTable>;

/** Presents a user to themselves; fields not listed here are never sent. */
function presentProfile(row: UserRow, { mail }: Pick<ServerConfig, 'mail'>): Profile {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    full_name: row.full_name,
    bio: row.bio,
    location: row.location,
    website: row.website,
    role: row.role,
    subscription_plan: row.subscription_plan,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
    email_verification:
      mail.smtpUrl === null ? 'unavailable' : row.email_verified_at ? 'verified' : 'pending',
    pending_email: row.pending_email,
    two_factor_enabled: row.totp_secret !== null,
    preferences: {
      email_notifications: row.email_notifications,
      push_notifications: row.push_notifications,
      notification_scope: row.notification_scope,
      email_frequency: row.email_frequency,
      local_editor: row.local_editor,
      theme: row.theme,
      language: row.language,
    },
  };
}

/** Presents a user to themselves, with what the sign-in policy asks of them. */
export async function presentOwnProfile(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  row: UserRow,
): Promise<Profile> {
  const isMissing = row.totp_secret === null && (await readSignInPolicy(db)).secondFactorRequired;
  return { ...presentProfile(row, config), ...(isMissing && { second_factor_required: true }) };
}

/** Converts a violation of a unique index of `users` to a `conflict`; null for any other error. */
export function duplicateUserError(error: unknown): AppError | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  if (code !== '23505') return null;
  if (constraint === 'users_external_id' || constraint === 'users_scim_user_name')
    return new AppError('conflict', 'account_provisioned', { cause: error });
  const [field, key] =
    constraint === 'users_email'
      ? (['email', 'email_taken'] as const)
      : (['username', 'username_taken'] as const);
  return new AppError('conflict', key, { cause: error, fields: { [field]: key } });
}
