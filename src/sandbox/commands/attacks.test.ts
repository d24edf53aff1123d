import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOARDING_ATTACKS, readingAttacks } from './testing-attacks.ts';
import { runsProgram32 } from './testing-elf.ts';
import { type AttackReport, HOARDING_LIMITS, runAttacks } from './testing-report.ts';
import { openSandboxFixture, SANDBOX_MISSING, type SandboxFixture, sandboxTitle } from './testing-sandbox.ts';
import { SYSCALL_ATTACKS, SYSCALL_USES } from './testing-syscalls.ts';

/** A user that no machine has. */
const ORDINARY_USER = '60901';
const HAS_PERL = existsSync('/usr/bin/perl');
const IS_ROOT = process.getuid?.() === 0;
const NO_TARGETS = { dataDir: '', toolchain: '', bystander: 0, port: 0, socket: '', name: '', ipcKey: 0 };

/** Attacks by the user who runs the server: root has a way of its own to the sandbox, so that both are tested as root. */
const ATTACKERS: [title: string, run: () => Promise<AttackReport>][] = [
  [IS_ROOT ? 'of root' : 'of an ordinary user', runAttacks],
  ...(IS_ROOT
    ? [['of an ordinary user', runAttacksAsOrdinaryUser] as [string, () => Promise<AttackReport>]]
    : []),
];
/** Reports by the title of the attacker; most of the time is spent waiting, so that all attack at once. */
const reports = new Map<string, AttackReport>();

/** Attacks the sandbox of a user without rights; the folder of this project must be readable for all. */
async function runAttacksAsOrdinaryUser(): Promise<AttackReport> {
  const program = fileURLToPath(new URL('./testing-reporter.ts', import.meta.url));
  const identity = [`--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, '--clear-groups'];
  const child = spawn('setpriv', [...identity, process.execPath, program], {
    env: { HOME: '/nonexistent', PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout!)) as AttackReport;
}

describe.skipIf(SANDBOX_MISSING !== null || !HAS_PERL)(
  HAS_PERL ? sandboxTitle('attacks on the sandbox') : 'attacks on the sandbox: LEFT OUT, there is no perl',
  () => {
    beforeAll(async () => {
      await Promise.all(ATTACKERS.map(async ([title, run]) => reports.set(title, await run())));
    });

    describe.each(ATTACKERS)('%s', (title) => {
      let report: AttackReport;
      beforeAll(() => {
        report = reports.get(title)!;
      });

      test.each(SYSCALL_ATTACKS.map((row, index) => [row.attack, row, index] as const))(
        'system call: %s',
        (__, row, index) => {
          expect(report.syscalls.filtered[index]).toBe(row.filtered);
          // Without its rule the kernel answers otherwise, except where a capability is missing as well.
          if (row.unfiltered) expect(report.syscalls.unfiltered[index]).toMatch(row.unfiltered);
        },
      );

      test('system call: the x32 interface', () => {
        expect(report.syscalls.x32).toBe('errno 38');
      });

      test.skipIf(!runsProgram32())('system call: the 32-bit interface', () => {
        expect(report.syscalls.i386).toBe('SIGSYS');
      });

      test('calls that programs need still work', () => {
        expect(report.syscalls.uses).toEqual(SYSCALL_USES.map(() => 'ok'));
      });

      test.each(readingAttacks(NO_TARGETS).map(([name]) => name))('%s', (name) => {
        const [, , expected] = readingAttacks(NO_TARGETS).find(([each]) => each === name)!;
        expect(report.reading[name]).toMatch(expected);
      });

      test.each(HOARDING_ATTACKS)('%s', (name, __, ___, expected) => {
        const { end, ms } = report.hoarding[name]!;
        expect(end).toMatch(expected);
        expect(ms).toBeLessThan(45_000);
      });

      test('the kernel limits a command by a cgroup of its own', ({ skip }) => {
        skip(report.cgroup === null, 'the system has delegated no cgroup (version 2)');
        const { memoryMb, processes } = HOARDING_LIMITS;
        expect(report.cgroup).toEqual({
          memory: String(memoryMb * 2 ** 20),
          tasks: String(processes * 4),
        });
      });

      test('the host is as it was', async () => {
        expect(report.host).toEqual({
          bystander: 'alive',
          data: ['.s.PGSQL.5432', 'secret-key'],
          toolchain: 'echo compiled\n',
          leaked: false,
        });
        await expect.poll(() => findProcesses(report.root)).toEqual([]);
      });
    });
  },
);

describe.skipIf(SANDBOX_MISSING !== null)(sandboxTitle('the end of a command'), () => {
  let fixture: SandboxFixture;
  let bystander: ChildProcess;

  beforeAll(async () => {
    fixture = await openSandboxFixture();
    bystander = spawn('sleep', ['1000'], { stdio: 'ignore' });
  });
  afterAll(async () => {
    bystander?.kill();
    await fixture?.close();
  });

  test('a daemon ends with the command, and does not delay its end', async () => {
    const daemon = '(setsid sh -c "trap \\"\\" TERM HUP INT; sleep 987" &) ; (nohup sleep 986 &) ; echo done';
    const { output, exitCode, ms } = await fixture.run(daemon);
    expect({ output: output.trim(), exitCode }).toEqual({ output: 'done', exitCode: 0 });
    expect(ms).toBeLessThan(60_000);
    await expect.poll(() => findProcesses(fixture.root)).toEqual([]);
  });

  test('a command that kills all it can reach ends itself alone', async () => {
    const { exitCode, limit } = await fixture.run('sleep 983 & kill -9 -1; sleep 982');
    expect([exitCode, limit]).toEqual([137, null]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  test('a command ends when it is aborted while the sandbox is prepared', async () => {
    const abortAfter = async (ms: number) => {
      const abort = new AbortController();
      const run = fixture.run('sleep 300', { signal: abort.signal });
      setTimeout(() => abort.abort(new Error('enough')), ms);
      await expect(run, `aborted after ${ms} ms`).rejects.toThrow('enough');
    };
    for (let ms = 0; ms < 40; ms += 2) await abortAfter(ms);
  });

  test('a command that ignores signals ends when it is aborted', async () => {
    const abort = new AbortController();
    const run = fixture.run('trap "" TERM INT HUP QUIT; while :; do sleep 1; done', { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 300);
    await expect(run).rejects.toThrow('enough');
    await expect.poll(() => findProcesses(fixture.root)).toEqual([]);
  });

  test('everything ends when the server is killed', async () => {
    const program = `
      const { openSandboxFixture } = await import(${JSON.stringify(new URL('./testing-sandbox.ts', import.meta.url))});
      const fixture = await openSandboxFixture();
      console.log(fixture.root);
      await fixture.run('trap "" TERM; setsid sleep 985 & sleep 984');`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout!, 'data')) as [Buffer];
    const root = line.toString().trim();
    await expect.poll(() => findProcesses('sleep\x00985').length).toBe(1);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await expect.poll(() => findProcesses('sleep\x00985')).toEqual([]);
    await expect.poll(() => findProcesses(root)).toEqual([]);
  });

  test('escape sequences and secrets are removed from the output, and its middle is left out', async () => {
    const command = `printf '\\033]0;title\\007\\033[31mred\\033[0m\\033[2J\\n'; echo 'api_key = "s3cr3t-value-1234"'
      i=0; while [ $i -lt 4000 ]; do echo "line $i"; i=$((i+1)); done`;
    const { output, isTruncated } = await fixture.run(command, { limits: { outputBytes: 2_000 } });
    expect(output.startsWith('red\napi_key = "[redacted]"\nline 0\n')).toBe(true);
    expect(output.endsWith('line 3999\n')).toBe(true);
    expect(isTruncated).toBe(true);
    expect(output.length).toBeLessThan(2_100);
  });

  test('folders that can’t be entered or are too deep are removed with the rest', async () => {
    const checkout = fixture.checkout();
    const deep = `perl -e 'for (1 .. 400) { mkdir "a" x 16 and chdir "a" x 16 or exit 1 }'`;
    const command = `cd /tmp; mkdir -p locked/inner; chmod 000 locked/inner locked; ${deep}`;
    const { exitCode, output } = await fixture.run(command, { checkout });
    expect([exitCode, output]).toEqual([0, '']);
    const left = readdirSync(fixture.root).filter((name) => name.includes('.run-'));
    expect(left).toEqual([]);
  });

  test('programs of the toolchain run, and a pipe is where output goes', async () => {
    const { output, exitCode } = await fixture.run(
      'sh -c compiler; echo said >/dev/stderr; cat /dev/null; exit 3',
    );
    expect({ output, exitCode }).toEqual({ output: 'compiled\nsaid\n', exitCode: 3 });
  });
});

/** Processes whose command line contains a text. */
function findProcesses(part: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(part);
    } catch {
      return false;
    }
  });
}
