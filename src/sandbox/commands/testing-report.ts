import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DEFAULT_COMMAND_LIMITS } from './sandbox.ts';
import { HOARDING_ATTACKS, readingAttacks } from './testing-attacks.ts';
import { program32 } from './testing-elf.ts';
import { openSandboxFixture, type SandboxFixture } from './testing-sandbox.ts';
import { SYSCALL_ATTACKS, SYSCALL_USES, syscallScript } from './testing-syscalls.ts';

/** Output of attacks on a sandbox, and what they changed. */
export interface AttackReport {
  /** Folder of the attacked checkouts. */
  root: string;
  /** Results in the order of the tables; `unfiltered` without the rules of the filter. */
  syscalls: { filtered: string[]; unfiltered: string[]; uses: string[]; x32: string; i386: string };
  /** Output by the name of the attack. */
  reading: Record<string, string>;
  /** `limit`, or `exit code output`, by the name of the attack, with the milliseconds that it took. */
  hoarding: Record<string, { end: string; ms: number }>;
  /** Limits of the cgroup that a command gets; null where the system has delegated none. */
  cgroup: { memory: string; tasks: string } | null;
  /** State of the host afterwards. */
  host: { bystander: string; data: string[]; toolchain: string; leaked: boolean };
}

/** Text that no attack may print. */
const SECRET = 'the secret of the server';
const CONCURRENT_RUNS = 2;
export const HOARDING_LIMITS = {
  wallMs: 40_000,
  processes: 60,
  memoryMb: 192,
  diskMb: 64,
  fileMb: 16,
  cpuS: 20,
};

/** Attacks a sandbox of the user that runs this. */
export async function runAttacks(): Promise<AttackReport> {
  const fixture = await openSandboxFixture();
  const bystander = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const servers: Server[] = [];
  try {
    const [syscalls, reading, hoarding] = [
      await attackBySyscalls(fixture),
      await attackByReading(fixture, bystander.pid, servers),
      await attackByHoarding(fixture),
    ];
    return {
      root: fixture.root,
      ...{ syscalls, reading, hoarding, cgroup: await readCgroup(fixture) },
      host: {
        bystander: String(bystander.exitCode ?? bystander.signalCode ?? 'alive'),
        data: readdirSync(fixture.dataDir).sort(),
        toolchain: readFileSync(join(fixture.toolchain, 'compiler'), 'utf8'),
        leaked: JSON.stringify([syscalls, reading]).includes(SECRET),
      },
    };
  } finally {
    bystander.kill();
    for (const server of servers) server.close();
    await fixture.close();
  }
}

async function attackBySyscalls(fixture: SandboxFixture): Promise<AttackReport['syscalls']> {
  const open = await openSandboxFixture({ without: SYSCALL_ATTACKS.map(({ call }) => call) });
  const attempt = async (sandbox: SandboxFixture, calls: Parameters<typeof syscallScript>[0]) => {
    const checkout = sandbox.checkout({ 'attack.pl': syscallScript(calls) });
    const { output } = await sandbox.run('perl attack.pl', { checkout, limits: { wallMs: 20_000 } });
    return output.trim().split('\n');
  };
  const checkout = fixture.checkout();
  writeFileSync(join(checkout, 'exit42'), program32(), { mode: 0o755 });
  const x32 = `print syscall(0x40000000 + 39) == -1 ? "errno " . ($! + 0) : "ok"`;
  const [filtered, unfiltered, uses, x32Run, i386] = await Promise.all([
    attempt(fixture, SYSCALL_ATTACKS),
    attempt(open, SYSCALL_ATTACKS),
    attempt(fixture, SYSCALL_USES),
    fixture.run(`perl -e '${x32}'`),
    fixture.run('./exit42', { checkout }),
  ]);
  await open.close();
  return { filtered, unfiltered, uses, x32: x32Run.output, i386: String(i386.signal ?? i386.exitCode) };
}

async function attackByReading(
  { dataDir, toolchain, ...fixture }: SandboxFixture,
  bystander: number | undefined,
  servers: Server[],
): Promise<Record<string, string>> {
  const listen = async (at: string | { port: number; host: string }) => {
    const server = createServer((client) => client.end(SECRET));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(at as string, resolve));
    return server.address() as AddressInfo;
  };
  const ipcKey = 0x4000_0000 + process.pid;
  const ipc = await shareMemory(ipcKey);
  const { port } = await listen({ port: 0, host: '127.0.0.1' });
  const socket = join(dataDir, '.s.PGSQL.5432');
  const name = `hindsight-attack-${process.pid}`;
  await Promise.all([listen(socket), listen(`\0${name}`)]);
  const checkout = fixture.checkout();
  const links = { 'to-data': dataDir, 'to-secret': join(dataDir, 'secret-key'), 'to-root': '/proc/1/root' };
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(checkout, link));
  const attacks = readingAttacks({ dataDir, toolchain, bystander, port, socket, name, ipcKey });
  const script = attacks.map(([title, command]) => `printf '\\n@@${title}\\n'\n( ${command}\n) 2>&1`);
  writeFileSync(join(checkout, 'attack.sh'), script.join('\n'));
  const { output } = await fixture.run('sh attack.sh', { checkout, limits: { wallMs: 20_000 } });
  ipc.stdin!.end();
  await once(ipc, 'exit');
  const parts = output.split('\n@@').slice(1);
  return Object.fromEntries(
    parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()]),
  );
}

/** Starts a process with a shared memory segment and a message queue, which it removes when its input ends. */
async function shareMemory(key: number): Promise<ChildProcess> {
  const script = `$| = 1; my $memory = shmget(${key}, 4096, 01666); shmwrite($memory, "${SECRET}", 0, 24);
    my $queue = msgget(${key}, 01666); msgsnd($queue, pack("l! a*", 1, "${SECRET}"), 0);
    print defined $memory && defined $queue ? "ready" : "$!"; <STDIN>; shmctl($memory, 0, 0); msgctl($queue, 0, 0)`;
  const child = spawn('perl', ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  if (said.toString() !== 'ready') throw new Error(`no shared memory: ${said}`);
  return child;
}

async function readCgroup({ machine }: SandboxFixture): Promise<AttackReport['cgroup']> {
  const cgroup = await machine.createCgroup({ ...DEFAULT_COMMAND_LIMITS, ...HOARDING_LIMITS });
  if (cgroup === null) return null;
  const read = (name: string) => readFileSync(join(cgroup.folder, name), 'utf8').trim();
  const limits = { memory: read('memory.max'), tasks: read('pids.max') };
  await cgroup.remove();
  return limits;
}

async function attackByHoarding(fixture: SandboxFixture): Promise<AttackReport['hoarding']> {
  const report: AttackReport['hoarding'] = {};
  const pending = [...HOARDING_ATTACKS];
  const work = async () => {
    for (let attack = pending.shift(); attack; attack = pending.shift()) {
      const [name, command, more] = attack;
      const limits = { ...HOARDING_LIMITS, ...more };
      const { limit, exitCode, output, ms } = await fixture.run(command, { limits });
      report[name] = { end: limit ?? `exit ${exitCode} ${output.slice(0, 500)}`, ms };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_RUNS }, work));
  return report;
}
