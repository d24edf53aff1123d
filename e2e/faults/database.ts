import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readTree } from '../attack/process-tree.ts';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import { type FaultProgram, prepareProgram, until } from './program.ts';

const OUTAGE_MS = 30_000;
const SHORT_OUTAGE_MS = 5_000;
const CALLERS = 8;
const FIRST_ERROR_LIMIT_S = 3;
const RECOVERY_LIMIT_S = 5;

const KINDS = ['killed', 'stopped at once', 'connections cut', 'paused'] as const;

/** R10: takes the database away under load in four ways. */
export const databaseFault: Fault = {
  id: 'R10',
  name: 'database killed, stopped, cut off, paused',
  target: 'answer (503) ≤ 3 s, normal ≤ 5 s after its return, no exit, no acknowledged write lost',
  async run(options) {
    const program = await prepareProgram();
    const waits: number[] = [];
    const recoveries: number[] = [];
    let losses = 0;
    let trials = 0;
    try {
      await program.start();
      const ada = await program.signUp();
      const rounds = options.short ? 1 : Math.ceil(trialsOf(options, 10) / KINDS.length);
      const kinds = options.short
        ? (['paused'] as const)
        : Array.from({ length: rounds }, () => KINDS).flat();
      for (const kind of kinds) {
        const outageMs = kind === 'paused' ? (options.short ? SHORT_OUTAGE_MS : OUTAGE_MS) : 0;
        const found = await disturb(program, ada.call, { kind, outageMs });
        trials += 1;
        waits.push(found.slowestMs);
        recoveries.push(found.recoveryMs);
        if (
          found.lost ||
          program.child.exitCode !== null ||
          found.statuses.some((status) => ![200, 503].includes(status))
        )
          losses += 1;
        options.report(
          `R10: ${kind}: ${JSON.stringify({ ...found, statuses: [...new Set(found.statuses)] })}`,
        );
      }
    } finally {
      await program.remove();
    }
    const figures = `slowest answer ${seconds(slowest(waits))}, normal ≤ ${seconds(slowest(recoveries))} after its return`;
    // The answer to a request that was under way when the database went away.
    const isFast = slowest(waits) <= FIRST_ERROR_LIMIT_S && slowest(recoveries) <= RECOVERY_LIMIT_S;
    return { trials, losses, figures, isMet: losses === 0 && isFast };
  },
};

type Call = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; body: Record<string, unknown> }>;

async function disturb(
  program: FaultProgram,
  call: Call,
  { kind, outageMs }: { kind: (typeof KINDS)[number]; outageMs: number },
) {
  const statuses: number[] = [];
  let acknowledged = 0;
  let slowestMs = 0;
  let isOver = false;
  let number = Date.now();
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    while (!isOver) {
      const started = performance.now();
      number += 1;
      const value = number;
      const isWrite = caller === 0;
      const { status } = isWrite
        ? await call('PUT', '/auth/me', { full_name: String(value) })
        : await call('GET', '/projects');
      if (isWrite && status === 200) acknowledged = value;
      slowestMs = Math.max(slowestMs, performance.now() - started);
      statuses.push(status);
      await sleep(CALLERS * 10);
    }
  });
  await sleep(500);
  await strike(program, kind, outageMs);
  const returned = performance.now();
  await until(
    async () => (await call('GET', '/projects')).status === 200,
    60_000,
    'The server did not recover',
  );
  const recoveryMs = performance.now() - returned;
  await sleep(500);
  isOver = true;
  await Promise.all(callers);
  const { body } = await call('GET', '/auth/me');
  return { statuses, slowestMs, recoveryMs, lost: Number(body.full_name) < acknowledged };
}

async function strike(
  { dataDir }: FaultProgram,
  kind: (typeof KINDS)[number],
  outageMs: number,
): Promise<void> {
  const lines = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  const postmaster = Number(lines[0]);
  if (kind === 'killed') process.kill(postmaster, 'SIGKILL');
  // SIGQUIT is PostgreSQL's immediate shutdown.
  else if (kind === 'stopped at once') process.kill(postmaster, 'SIGQUIT');
  else if (kind === 'connections cut') {
    const password = await readFile(join(dataDir, 'postgres-password'), 'utf8');
    const client = new pg.Client({
      host: lines[4],
      user: 'hindsight_server',
      password,
      database: 'postgres',
    });
    client.on('error', () => {});
    await client.connect();
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
    );
    await client.end();
  } else {
    const { pids } = readTree(postmaster);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await sleep(outageMs);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}
