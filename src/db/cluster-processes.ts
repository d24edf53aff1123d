import { spawn } from 'node:child_process';
import { readdir, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { PROGRAM_ENV } from './postgres-user.ts';

/** True when the working directory of the process is this folder: PostgreSQL changes into its data folder. */
export async function isRunningIn(pid: number, folder: string): Promise<boolean> {
  if (process.platform === 'linux') {
    return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === folder;
  }
  const command = await output('ps', ['-o', 'command=', '-p', String(pid)]);
  return command.includes(` -D ${folder} `);
}

/**
 * Ends what a killed postmaster left behind: a busy backend keeps the shared memory, and with it the next start from
 * happening, until its statement ends. It is as safe as the crash that went before. On Linux; elsewhere they are waited for.
 */
export async function killBackends(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const name of await readdir('/proc')) {
    // A shell of the operator may be in this folder, too.
    if (!/^\d+$/.test(name) || !(await isPostgres(name)) || !(await isRunningIn(Number(name), folder)))
      continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

async function isPostgres(pid: string): Promise<boolean> {
  return basename(await readlink(`/proc/${pid}/exe`).catch(() => '')) === 'postgres';
}

async function output(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { env: PROGRAM_ENV, stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks = await child.stdout.toArray();
  return Buffer.concat(chunks).toString();
}
