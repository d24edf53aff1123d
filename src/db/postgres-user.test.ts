import { spawnSync } from 'node:child_process';
import {
  chown,
  cp,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from './connect.ts';
import { PASSWORD_FILE, startEmbedded } from './embedded.ts';
import { findPrograms, reachableBinaries } from './postgres-programs.ts';
import { canRun, choosePostgresUser, giveFolder } from './postgres-user.ts';

const OVERFLOW_UID = 65534;
const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0;
const log = pino({ level: 'silent' });

async function makeFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'hindsight-user-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a shell command as a user; true if it succeeded. */
function can(uid: number, command: string): boolean {
  return canRun(['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--', 'sh', '-c', command]);
}

describe.skipIf(!isLinuxRoot)('as root', () => {
  const startWithoutNamespaces = async (dataDir: string) => {
    const embedded = await startEmbedded({ dataDir, log, userNamespaces: false });
    const stop = embedded.stop;
    onTestFinished(stop);
    return embedded;
  };

  test('without user namespaces, in a folder that only root enters, PostgreSQL is a user of its own without capabilities', async () => {
    const dataDir = join(await makeFolder(homedir()), 'data');
    const { url, stop } = await startWithoutNamespaces(dataDir);
    const { pool, close } = connect(url);
    expect((await pool.query('select upper($1) as upper', ['é'])).rows).toEqual([{ upper: 'É' }]);
    await pool.query('create table kept as select 7 as number');
    const pid = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0];
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const [, uid] = /^Uid:\t(\d+)/m.exec(status)!.map(Number);
    expect([0, OVERFLOW_UID]).not.toContain(uid);
    expect(spawnSync('getent', ['passwd', String(uid)]).status).not.toBe(0);
    expect(status).toMatch(/^CapPrm:\t0+$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^CapInh:\t0+$/m);
    expect(status).toMatch(/^CapAmb:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);

    const sockets = new URLSearchParams(url.split('?')[1]).get('host');
    for (const other of [OVERFLOW_UID, uid! + 1]) {
      for (const command of [
        `kill -0 ${pid}`,
        `cat /proc/${pid}/environ`,
        `ls /proc/${pid}/fd`,
        `ls ${sockets}`,
        `ls ${dataDir}/postgres`,
        `cat ${dataDir}/${PASSWORD_FILE}`,
      ]) {
        expect(can(other, command), `${other}: ${command}`).toBe(false);
      }
    }
    expect(can(uid!, `cat ${dataDir}/${PASSWORD_FILE} || cat /etc/shadow`)).toBe(false);
    await close();
    await stop();
    const again = await startWithoutNamespaces(dataDir);
    const second = connect(again.url);
    expect((await second.pool.query('select number from kept')).rows).toEqual([{ number: 7 }]);
    await second.close();
  });

  test('a cluster of the overflow user or of root is given to the new user', async () => {
    const dataDir = await makeFolder();
    const first = await startEmbedded({ dataDir, log });
    const before = connect(first.url);
    await before.pool.query('create table kept as select 7 as number');
    await before.close();
    await first.stop();
    spawnSync('chown', ['-R', `${OVERFLOW_UID}:${OVERFLOW_UID}`, join(dataDir, 'postgres')]);
    const { url } = await startWithoutNamespaces(dataDir);
    const { pool, close } = connect(url);
    expect((await pool.query('select number from kept')).rows).toEqual([{ number: 7 }]);
    await close();
    const { uid } = choosePostgresUser(join(dataDir, 'postgres'), { userNamespaces: false });
    expect((await stat(join(dataDir, 'postgres', 'global', 'pg_control'))).uid).toBe(uid);
  });

  test('a change of owner follows neither a link nor a second name of a file', async () => {
    const folder = await makeFolder();
    const victim = join(folder, 'victim');
    await writeFile(victim, 'of root', { mode: 0o600 });
    const makeLink = [
      (path: string) => symlink(victim, path),
      (path: string) => link(victim, path),
      (path: string) => symlink(folder, path),
    ];
    for (const make of makeLink) {
      const cluster = join(folder, 'cluster');
      await mkdir(join(cluster, 'base'), { recursive: true });
      await make(join(cluster, 'base', 'entry'));
      await chown(cluster, OVERFLOW_UID, OVERFLOW_UID);
      await expect(giveFolder(cluster, 1234)).rejects.toThrow('is a link');
      expect((await lstat(victim)).uid).toBe(0);
      expect((await lstat(folder)).uid).toBe(0);
      await rm(cluster, { recursive: true });
    }
    await symlink(folder, join(folder, 'cluster'));
    await expect(giveFolder(join(folder, 'cluster'), 1234)).rejects.toThrow('is a link');
  });

  test('an installation that only root enters is copied to where PostgreSQL’s user can run it', async () => {
    const hidden = await makeFolder(homedir());
    const copies = await makeFolder();
    await chown(copies, 0, 0);
    spawnSync('chmod', ['755', copies]);
    const { postgres } = await findPrograms(join(copies, 'postgres'), { userNamespaces: true });
    const installed = dirname(dirname(dirname(postgres)));
    await cp(installed, join(hidden, 'package'), { recursive: true, verbatimSymlinks: true });
    const bin = join(hidden, 'package', 'native', 'bin');
    const user = choosePostgresUser(join(copies, 'postgres'), { userNamespaces: false });
    const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
    const copy = await reachableBinaries(binaries, user, join(copies, 'hindsight'));
    expect(copy.postgres.startsWith(copies)).toBe(true);
    expect(canRun([...user.become(), copy.postgres, '--version'])).toBe(true);
    expect(can(OVERFLOW_UID, `touch ${dirname(copy.postgres)}/written`)).toBe(false);
    expect(await reachableBinaries(binaries, user, join(copies, 'hindsight'))).toEqual(copy);
  });
});
