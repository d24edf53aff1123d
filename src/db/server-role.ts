import { createHash } from 'node:crypto';
import { lchown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The bootstrap superuser: no rule lets it in once the cluster is set up, and it has no password. */
export const SUPERUSER = 'hindsight';

/** The role that the program connects as: owner of its database, without any right over the cluster. */
const SERVER_ROLE = 'hindsight_server';

/** Connection string of the server's role. */
export function serverUrl(sockets: string, password: string): string {
  return `postgres://${SERVER_ROLE}:${password}@/postgres?host=${encodeURIComponent(sockets)}`;
}

/**
 * The rule by which only the server's role signs in. It names the password that the role was given, so that a cluster
 * of an earlier version, a restored one and one that was set up halfway differ from a finished one.
 */
function accessRules(password: string): string {
  const digest = createHash('sha256').update(`pg_hba ${password}`).digest('hex');
  return `# Written by Hindsight. Set up for password ${digest}.\nlocal all ${SERVER_ROLE} scram-sha-256\n`;
}

/** In force during the set-up alone, while the socket is in a folder that no other user may enter. */
const SETUP_RULES = `local postgres ${SUPERUSER} trust\n`;

/** True when the cluster was set up for this password. */
export async function isSetUp(cluster: string, password: string): Promise<boolean> {
  return (await readFile(rulesFile(cluster), 'utf8').catch(() => '')) === accessRules(password);
}

/** Lets the superuser in, for `createServerRole`; before the server starts. */
export async function openForSetup(cluster: string, uid: number): Promise<void> {
  await writeRules(cluster, { rules: SETUP_RULES, uid });
}

/**
 * Sets a running cluster up: makes the role, hands it what earlier versions made as the superuser, and takes
 * the superuser's password away, all in one transaction. The rules change last: after a crash before that, it runs again.
 */
export async function createServerRole(options: {
  cluster: string;
  sockets: string;
  password: string;
  uid: number;
  createDatabases: boolean;
  /** Makes the server read its rules again. */
  reload(): void;
}): Promise<void> {
  const { cluster, sockets, password, uid, createDatabases, reload } = options;
  const client = new pg.Client({ host: sockets, user: SUPERUSER, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(setupStatements(password, createDatabases));
  } finally {
    await client.end();
  }
  await writeRules(cluster, { rules: accessRules(password), uid });
  reload();
  await untilRulesHold(serverUrl(sockets, password));
}

/** One simple query, hence one transaction. A statement that fails is not written to the log: it holds the password. */
function setupStatements(password: string, createDatabases: boolean): string {
  const databases = createDatabases ? 'createdb' : 'nocreatedb';
  return `
    set log_min_error_statement = panic;
    do $$ begin
      if to_regrole('${SERVER_ROLE}') is null then create role ${SERVER_ROLE}; end if;
    end $$;
    alter role ${SERVER_ROLE} login nosuperuser ${databases} nocreaterole noreplication nobypassrls
      password ${pg.escapeLiteral(password)};
    alter database postgres owner to ${SERVER_ROLE};
    ${TRANSFER}
    alter role ${SUPERUSER} password null;`;
}

/** `reassign owned` refuses the bootstrap superuser, so each object changes its owner; what belongs to a table follows it. */
const TRANSFER = `
  do $$ declare statement text; begin
    for statement in
      with own as (
        select oid, oid::regnamespace::text as name from pg_namespace
         where nspname !~ '^pg_' and nspname <> 'information_schema')
      select format('alter schema %s owner to ${SERVER_ROLE}', name) from own where name <> 'public'
      union all
      select format('alter table %s owner to ${SERVER_ROLE}', c.oid::regclass)
        from pg_class c join own on own.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
         and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                            and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relkind = 'S')
      union all
      select format('alter type %s owner to ${SERVER_ROLE}', t.oid::regtype)
        from pg_type t join own on own.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
       where t.typtype in ('d', 'e', 'r') or c.relkind = 'c'
      union all
      select format('alter routine %s owner to ${SERVER_ROLE}', p.oid::regprocedure)
        from pg_proc p join own on own.oid = p.pronamespace
    loop execute statement; end loop;
  end $$;`;

/** A signal is not answered: the new rules hold when the role gets in. */
async function untilRulesHold(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(50);
    }
  }
}

function rulesFile(cluster: string): string {
  return join(cluster, 'pg_hba.conf');
}

/** Written aside and renamed; a link in its place is replaced, never followed. */
async function writeRules(cluster: string, { rules, uid }: { rules: string; uid: number }): Promise<void> {
  const draft = `${rulesFile(cluster)}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, rules, { mode: 0o600, flag: 'wx', flush: true });
  if (process.getuid?.() === 0) await lchown(draft, uid, uid);
  await rename(draft, rulesFile(cluster));
}
