import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { type Kysely, sql } from 'kysely';
import type { ServerStatus } from '#contract/admin.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { getSignupMode } from '../identity/signup.ts';

const USAGE_WINDOW_DAYS = 30;

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** State of the process, disk and database, the configured services, and usage counts. */
export async function readServerState(deps: Pick<Deps, 'db' | 'config' | 'now'>): Promise<ServerStatus> {
  const { config, db } = deps;
  const [disk, database, usage, signup] = await Promise.all([
    statfs(config.dataDir),
    readDatabase(db),
    readUsage(deps),
    getSignupMode(deps),
  ]);
  const { github, google } = config.signIn;
  return {
    version,
    started_at: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    node: process.versions.node,
    memory: { process: process.memoryUsage.rss(), total: totalmem() },
    disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
    database,
    mail: config.mail.smtpUrl !== null,
    payments: config.razorpay !== null,
    oauth_providers: { github: github !== null, google: google !== null },
    model: config.model && { provider: config.model.provider, name: config.model.name },
    signup,
    usage,
  };
}

async function readDatabase(db: Kysely<Database>): Promise<ServerStatus['database']> {
  const { rows } = await sql<{ version: string; size: string }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size`.execute(
    db,
  );
  return { version: rows[0]?.version ?? '', size: Number(rows[0]?.size ?? 0) };
}

async function readUsage({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<ServerStatus['usage']> {
  const since = new Date(now().getTime() - USAGE_WINDOW_DAYS * 24 * 3600_000);
  const { rows } = await sql<Record<keyof ServerStatus['usage'], string>>`
    select
      (select count(*) from users) as accounts,
      (select count(distinct user_id) from sessions where greatest(last_seen, rotated_at) > ${since}) as active_accounts,
      (select count(*) from projects) as projects,
      (select count(*) from debug_sessions where created_at > ${since}) as recent_errors,
      (select count(*) from chat_messages where role = 'user' and created_at > ${since}) as recent_questions`.execute(
    db,
  );
  const counts = rows[0]!;
  return {
    accounts: Number(counts.accounts),
    active_accounts: Number(counts.active_accounts),
    projects: Number(counts.projects),
    recent_errors: Number(counts.recent_errors),
    recent_questions: Number(counts.recent_questions),
  };
}
