/** Queries that reach rows of projects by another key, as `file: table`, and why. Every other one names the project. */
const OTHER_KEYS: Record<string, string> = {
  'src/server/project-data/move-files.ts: project_files': 'moves all projects',
  'src/server/project-data/move-files.ts: repository_packs': 'moves all projects',
  'src/server/project-data/debug-sessions.ts: feedback': 'of a session, in a query of one project',
  'src/server/project-data/storage-quota.ts: branches': 'counts by account',
  'src/server/project-data/plans.ts: project_members': 'counts by account',
  'src/server/identity/access.ts: api_keys': 'by id of the key in use',
  'src/server/admin/users.ts: project_members': 'counts by account',
  'src/server/debug/queries.ts: debug_sessions': 'numbers by account',
  'src/server/debug/queries.ts: feedback': 'by session',
  'src/server/history/queries.ts: feedback': 'by session or project, as the caller adds',
  'src/server/proofs/proof-upkeep-tasks.ts: proofs': 'upkeep of all projects',
  'src/server/proofs/queries.ts: proofs': 'counts of the queue of all projects',
  'src/server/account/data-export.ts: chat_attachments': 'by account',
  'src/server/account/key-queries.ts: api_keys': 'by account',
  'src/server/chat/attachments.ts: chat_attachments': 'by account',
  'src/server/notifications/deliver-webhooks.ts: webhook_deliveries': 'upkeep of all projects',
  'src/server/notifications/watch-queries.ts: watches': 'by account',
  'src/server/payments/usage.ts: writable_projects': 'by account',
  'src/server/members/queries.ts: project_members': 'by membership, as the caller adds',
  'src/server/members/invitations.ts: project_invitations': 'upkeep of all projects',
  'src/cli/doctor/data-checks.ts: credentials': 'checks all projects',
};

const TABLE = /create table (\w+) \(([\s\S]*?)\n\s*\)/g;
const QUERY = /\.(?:selectFrom|updateTable|deleteFrom)\(\s*'(\w+)(?: as \w+)?'/g;

/** Tables of projects: those with a column `project_id`, from the texts of all migrations. */
export function findProjectTables(migrations: readonly string[]): Set<string> {
  const tables = migrations.flatMap((text) => [...text.matchAll(TABLE)]);
  return new Set(
    tables.filter(([, , columns]) => /^\s*project_id /m.test(columns!)).map(([, name]) => name!),
  );
}

/** Queries of tables of projects that do not name the project, as `file: table`, by the text of each file. */
export function findOtherKeys(sources: Record<string, string>, tables: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [file, text] of Object.entries(sources)) {
    for (const match of text.matchAll(QUERY)) {
      const rest = text.slice(match.index);
      const end = /\.execute\w*\(|;\n/.exec(rest);
      const query = end ? rest.slice(0, end.index) : rest;
      if (tables.has(match[1]!) && !query.includes('project_id')) found.add(`${file}: ${match[1]}`);
    }
  }
  return [...found].toSorted();
}

/** The reviewed queries by another key. */
export function listReviewedKeys(): string[] {
  return Object.keys(OTHER_KEYS).toSorted();
}
