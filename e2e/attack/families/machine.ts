import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Family, type Input, LeftOut } from '../family.ts';
import { readTree } from '../process-tree.ts';
import type { World } from '../world.ts';

/*
 * Other users of the same machine. What must hold: none of them opens the database, reads a file of the data folder or makes
 * the server write through a link.
 */

const UNPRIVILEGED_UID = 65_534;

/** Reads socket folder and port of the embedded PostgreSQL from its lock file. */
function socketOf({ server }: World): { folder: string; port: string } | null {
  const file = join(server.dataDir, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { port: lines[3]?.trim() ?? '', folder: lines[4]?.trim() ?? '' };
}

/** Tries to open the database as another user of the machine; returns `current_user` or the refusal. */
function connectUnprivileged(world: World, user: string, database: string): string {
  if (process.getuid?.() !== 0) throw new LeftOut('only root can act as another user');
  const socket = socketOf(world);
  if (socket === null) throw new LeftOut('there is no embedded PostgreSQL');
  const script = `
    import pg from '${join(world.checkout, 'node_modules/pg/lib/index.js')}';
    const client = new pg.Client({ host: ${JSON.stringify(socket.folder)}, port: ${socket.port}, user: '${user}', database: '${database}', connectionTimeoutMillis: 3000 });
    client.connect().then(() => client.query('select current_user')).then(({ rows }) => { console.log('OPEN ' + rows[0].current_user); process.exit(0); }, (error) => { console.log('REFUSED ' + error.message); process.exit(0); });`;
  // Loaded as root, which may read the checkout; connected as an unprivileged user.
  const drop = `process.setgroups([]); process.setgid(${UNPRIVILEGED_UID}); process.setuid(${UNPRIVILEGED_UID});`;
  const program = script.replace('const client', `${drop}\nconst client`);
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  return stdout.trim() || `REFUSED ${stderr.trim().split('\n').at(-1)}`;
}

const connections: Input[] = [
  ['hindsight', 'hindsight'],
  ['postgres', 'postgres'],
  ['hindsight', 'postgres'],
  ['nobody', 'postgres'],
  ['postgres', 'template1'],
  ['root', 'postgres'],
].map(([user = '', database = ''], index) => ({
  name: `the database ${database} rejects ${user}`,
  act: async (world) => {
    const output = connectUnprivileged(world, user, database);
    return output.startsWith('OPEN') ? output : null;
  },
  short: index === 0,
}));

/** Lists entries of the data folder that other users can read. */
function readableByOthers(folder: string): string[] {
  const found: string[] = [];
  const left = [folder];
  while (left.length > 0) {
    const current = left.pop()!;
    const stat = lstatSync(current);
    const open = (stat.mode & 0o007) !== 0 && !stat.isSymbolicLink() && !stat.isSocket();
    if (open) found.push(current);
    // A closed folder protects everything below it.
    if (stat.isDirectory() && (open || current === folder)) {
      left.push(...readdirSync(current).map((name) => join(current, name)));
    }
  }
  return found.filter((path) => lstatSync(path).isFile());
}

export const machine: Family = {
  name: 'machine',
  modes: ['default'],
  // One of its inputs starts the server again.
  probe: 'off',
  inputs: [
    ...connections,
    {
      name: 'files of the data folder that others can read',
      act: async ({ server }) => {
        const found = readableByOthers(server.dataDir);
        return found.length === 0 ? null : found.slice(0, 5).join(', ');
      },
      short: true,
    },
    {
      name: 'capabilities of the database processes',
      act: async ({ server }) => {
        const powerful = readTree(server.pid()).pids.filter((pid) => {
          const status = read(`/proc/${pid}/status`);
          const isPostgres =
            read(`/proc/${pid}/cmdline`).startsWith('postgres') || /^Name:\s+postgres$/m.test(status);
          const [, effective = '0'] = /^CapEff:\s+([0-9a-f]+)$/m.exec(status) ?? [];
          const isRoot = /^Uid:\s+0\s/m.test(status);
          return isPostgres && !isRoot && BigInt(`0x${effective}`) !== 0n;
        });
        return powerful.length === 0 ? null : `processes ${powerful.join(', ')} hold capabilities`;
      },
    },
    {
      name: 'a link in the data folder to a file of root, over a restart',
      act: async (world) => {
        if (process.getuid?.() !== 0) throw new LeftOut('only root can act as another user');
        const target = join(world.server.dataDir, '..', `hindsight-attack-target-${process.pid}`);
        writeFileSync(target, 'of root', { mode: 0o600 });
        const link = join(world.server.dataDir, 'postgres', 'attack-link');
        symlinkSync(target, link);
        try {
          await world.server.restart();
          const { uid, gid, mode } = lstatSync(target);
          return uid === 0 && gid === 0 && (mode & 0o077) === 0
            ? null
            : `the target now belongs to ${uid}:${gid}`;
        } finally {
          spawnSync('rm', ['-f', target, link]);
        }
      },
    },
    {
      name: 'secrets on command lines',
      act: async ({ server }) => {
        const lines = readTree(server.pid()).pids.map((pid) => read(`/proc/${pid}/cmdline`));
        await sleep(0);
        return lines.some((line) => /canary|password|secret/i.test(line))
          ? 'a secret is on a command line'
          : null;
      },
      short: true,
    },
  ],
};

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
