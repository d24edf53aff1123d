import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { AppError } from '#contract/errors.ts';
import * as first from './migrations/0001-first.ts';
import * as rateLimits from './migrations/0002-rate-limits.ts';
import * as accountLetters from './migrations/0003-account-letters.ts';
import * as notifications from './migrations/0004-notifications.ts';
import * as payments from './migrations/0005-payments.ts';
import * as branches from './migrations/0006-branches.ts';
import * as chat from './migrations/0007-chat.ts';
import * as backtests from './migrations/0008-backtests.ts';
import * as accounts from './migrations/0009-accounts.ts';
import * as access from './migrations/0010-access.ts';
import * as assistant from './migrations/0011-assistant.ts';
import * as push from './migrations/0013-push.ts';
import * as resolutions from './migrations/0015-resolutions.ts';
import * as budgets from './migrations/0016-budgets.ts';
import * as quotas from './migrations/0021-quotas.ts';
import * as drafts from './migrations/0023-drafts-and-credentials.ts';
import * as standardNames from './migrations/0024-standard-names.ts';
import * as errorKeys from './migrations/0025-error-keys.ts';
import * as errorReasons from './migrations/0026-error-reasons.ts';
import * as errorGroups from './migrations/0027-error-groups.ts';
import * as fixedCode from './migrations/0027-fixed-code.ts';
import * as projectSettings from './migrations/0028-project-settings.ts';
import * as pushes from './migrations/0029-pushes.ts';
import * as readings from './migrations/0029-readings.ts';
import * as ownModels from './migrations/0030-own-models.ts';
import * as searches from './migrations/0031-searches.ts';
import * as intake from './migrations/0032-intake.ts';
import * as eventGroups from './migrations/0033-event-groups.ts';
import * as releases from './migrations/0034-releases.ts';
import * as testRuns from './migrations/0035-test-runs.ts';
import * as eventTimes from './migrations/0036-event-times.ts';
import * as proofs from './migrations/0037-proofs.ts';
import * as errorTriage from './migrations/0038-error-triage.ts';
import * as eventText from './migrations/0039-event-text.ts';
import * as projectFiles from './migrations/0050-project-files.ts';
import * as proofLines from './migrations/0055-proof-lines.ts';
import * as repositories from './migrations/0060-repositories.ts';
import * as signInProviders from './migrations/0065-sign-in-providers.ts';
import * as teams from './migrations/0066-teams.ts';
import * as scim from './migrations/0067-scim.ts';
import * as issues from './migrations/0070-issues.ts';
import * as undoneFixes from './migrations/0077-undone-fixes.ts';
import * as webhooks from './migrations/0080-webhooks.ts';
import * as errorKinds from './migrations/0085-error-kinds.ts';
import * as billing from './migrations/0086-billing.ts';
import * as watches from './migrations/0088-watches.ts';
import * as emailFrequency from './migrations/0089-email-frequency.ts';
import * as localEditors from './migrations/0090-local-editors.ts';
import * as issueComments from './migrations/0096-issue-comments.ts';
import * as commentAttempts from './migrations/0097-comment-attempts.ts';
import * as partialIndex from './migrations/0098-partial-index.ts';
import type { Database } from './schema.ts';

/** In order. A released name never changes: databases store it. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-first': first,
  '0002-rate-limits': rateLimits,
  '0003-account-letters': accountLetters,
  '0004-notifications': notifications,
  '0005-payments': payments,
  '0006-branches': branches,
  '0007-chat': chat,
  '0008-backtests': backtests,
  '0009-accounts': accounts,
  '0010-access': access,
  '0011-assistant': assistant,
  '0013-push': push,
  '0015-resolutions': resolutions,
  '0016-budgets': budgets,
  '0021-quotas': quotas,
  '0023-drafts-and-credentials': drafts,
  '0024-standard-names': standardNames,
  '0025-error-keys': errorKeys,
  '0026-error-reasons': errorReasons,
  '0027-error-groups': errorGroups,
  '0027-fixed-code': fixedCode,
  '0028-project-settings': projectSettings,
  '0029-pushes': pushes,
  '0029-readings': readings,
  '0030-own-models': ownModels,
  '0031-searches': searches,
  '0032-intake': intake,
  '0033-event-groups': eventGroups,
  '0034-releases': releases,
  '0035-test-runs': testRuns,
  '0036-event-times': eventTimes,
  '0037-proofs': proofs,
  '0038-error-triage': errorTriage,
  '0039-event-text': eventText,
  '0050-project-files': projectFiles,
  '0055-proof-lines': proofLines,
  '0060-repositories': repositories,
  '0065-sign-in-providers': signInProviders,
  '0066-teams': teams,
  '0067-scim': scim,
  '0070-issues': issues,
  '0077-undone-fixes': undoneFixes,
  '0080-webhooks': webhooks,
  '0085-error-kinds': errorKinds,
  '0086-billing': billing,
  '0088-watches': watches,
  '0089-email-frequency': emailFrequency,
  '0090-local-editors': localEditors,
  '0096-issue-comments': issueComments,
  '0097-comment-attempts': commentAttempts,
  '0098-partial-index': partialIndex,
};

/**
 * Brings the schema up to date in one transaction, so that a kill in the middle leaves the old one. Replicas that
 * start together wait for each other. Throws `unavailable` for a database that a newer program has changed.
 */
export async function migrate(db: Kysely<Database>, migrations = MIGRATIONS): Promise<void> {
  const applied = new Set(await appliedMigrations(db));
  const newer = [...applied].find((name) => !(name in migrations));
  if (newer !== undefined) {
    throw new AppError('unavailable', 'newer_database', {
      params: { migration: newer },
      reason: 'newer_database',
    });
  }
  // The usual start: the migrator would take a lock and read the catalog to find nothing.
  if (Object.keys(migrations).every((name) => applied.has(name))) return;
  const provider = { getMigrations: async () => withCheckedConstraints(migrations) };
  const migrator = new Migrator({ db, provider });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/**
 * Migrations that check deferred constraints when they end. Until then PostgreSQL refuses to alter a table whose rows an
 * earlier migration of the same transaction has changed.
 */
function withCheckedConstraints(migrations: Record<string, Migration>): Record<string, Migration> {
  const check = sql`set constraints all immediate; set constraints all deferred`;
  const wrap = (migration: Migration): Migration => ({
    ...migration,
    up: async (db) => {
      await migration.up(db);
      await check.execute(db);
    },
  });
  return Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, wrap(migration)]));
}

async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const known = await sql<{
    found: boolean;
  }>`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (!known.rows[0]?.found) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
