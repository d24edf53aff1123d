import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { arch, homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandLimits, CommandResult, ExceededLimit } from './sandbox.ts';
import { openSandboxFixture, SANDBOX_MISSING, type SandboxFixture, sandboxTitle } from './testing-sandbox.ts';
import { SYSCALL_ATTACKS, SYSCALL_USES, syscallScript } from './testing-syscalls.ts';

const HAS_PERL = existsSync('/usr/bin/perl');
const SECRET = 'the secret of the server';

let fixture: SandboxFixture;
let bystander: ChildProcess;
const servers: Server[] = [];
const listen = async (at: string | number) => {
  const server = createServer((socket) => socket.end(SECRET));
  await new Promise<void>((resolve) => {
    if (typeof at === 'number') server.listen(at, '127.0.0.1', resolve);
    else server.listen(at, resolve);
  });
  servers.push(server);
  return server.address();
};

describe.skipIf(SANDBOX_MISSING !== null)(sandboxTitle('attacks on the sandbox'), () => {
  beforeAll(async () => {
    fixture = await openSandboxFixture();
    bystander = spawn('sleep', ['1000'], { stdio: 'ignore' });
  });
  afterAll(async () => {
    bystander?.kill();
    for (const server of servers) server.close();
    await fixture?.close();
  });

  describe.skipIf(!HAS_PERL)(HAS_PERL ? 'system calls' : 'system calls: LEFT OUT, there is no perl', () => {
    let filtered: string[];
    let unfiltered: string[];
    let uses: string[];

    beforeAll(async () => {
      const open = await openSandboxFixture({ without: SYSCALL_ATTACKS.map(({ call }) => call) });
      const attempt = async (sandbox: SandboxFixture, calls: Parameters<typeof syscallScript>[0]) => {
        const checkout = sandbox.checkout({ 'attack.pl': syscallScript(calls) });
        const { output } = await sandbox.run('perl attack.pl', { checkout });
        return output.trim().split('\n');
      };
      [filtered, unfiltered, uses] = await Promise.all([
        attempt(fixture, SYSCALL_ATTACKS),
        attempt(open, SYSCALL_ATTACKS),
        attempt(fixture, SYSCALL_USES),
      ]);
      await open.close();
    });

    test.each(SYSCALL_ATTACKS.map((row, index) => [row.attack, row, index] as const))(
      '%s',
      (_, row, index) => {
        expect(filtered[index]).toBe(row.filtered);
        // Without its rule the kernel answers otherwise, except where a capability is missing as well.
        if (row.unfiltered !== undefined) expect(unfiltered[index]).toMatch(row.unfiltered);
      },
    );

    test('calls that programs need still work', () => {
      expect(uses).toEqual(SYSCALL_USES.map(() => 'ok'));
    });

    test('the x32 interface of the kernel', async () => {
      const script = `print syscall(0x40000000 + 39) == -1 ? "errno " . ($! + 0) : "ok"`;
      const { output } = await fixture.run(`perl -e '${script}'`);
      expect(output).toBe('errno 38');
    });

    test.skipIf(arch() !== 'x64')('the 32-bit interface of the kernel', async () => {
      const checkout = fixture.checkout();
      writeFileSync(join(checkout, 'exit42'), program32(), { mode: 0o755 });
      const { exitCode, signal } = await fixture.run('./exit42', { checkout });
      expect({ exitCode, signal }).toEqual({ exitCode: 159, signal: 'SIGSYS' });
    });
  });

  describe('files, processes and network', () => {
    let result: Record<string, string>;
    let run: CommandResult;
    const attacks = () => READING_ATTACKS({ fixture, bystander, port: 0, socket: '', name: '' });

    beforeAll(async () => {
      const address = await listen(0);
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const socket = join(fixture.dataDir, '.s.PGSQL.5432');
      const name = `hindsight-attack-${process.pid}`;
      await Promise.all([listen(socket), listen(`\0${name}`)]);
      const checkout = fixture.checkout();
      for (const [link, target] of Object.entries({
        'to-data': fixture.dataDir,
        'to-secret': join(fixture.dataDir, 'secret-key'),
        'to-root': '/proc/1/root',
      })) {
        symlinkSync(target, join(checkout, link));
      }
      const rows = READING_ATTACKS({ fixture, bystander, port, socket, name });
      const script = rows.map(
        ([name, command]) => `printf '\\n@@%s\\n' '${name.replaceAll("'", '')}'\n( ${command}\n) 2>&1`,
      );
      const path = 'attack.sh';
      writeFileSync(join(checkout, path), script.join('\n'));
      run = await fixture.run(`sh ${path}`, { checkout, limits: { wallMs: 20_000 } });
      result = Object.fromEntries(
        run.output
          .split('\n@@')
          .slice(1)
          .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()]),
      );
    });

    test.each(READING_NAMES)('%s', (name) => {
      const row = attacks().find(([each]) => each === name)!;
      expect(result[name.replaceAll("'", '')]).toMatch(row[2]);
    });

    test('nothing of it reached the host', () => {
      expect(run.output).not.toContain(SECRET);
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
      expect(readFileSync(join(fixture.toolchain, 'compiler'), 'utf8')).toBe('echo compiled\n');
      expect(readdirSync(fixture.dataDir).sort()).toEqual(['.s.PGSQL.5432', 'secret-key']);
    });
  });

  describe('use of the machine', () => {
    test.each(HOARDING_ATTACKS)('%s', async (_, command, limits, expected) => {
      const { limit, exitCode, output, ms } = await fixture.run(command, {
        limits: { wallMs: 8_000, processes: 60, memoryMb: 192, diskMb: 64, fileMb: 16, cpuS: 20, ...limits },
      });
      expect(limit ?? `exit ${exitCode} ${output}`).toMatch(expected);
      expect(ms).toBeLessThan(8_500);
    });

    test('nothing runs on', async () => {
      await sleep(100);
      expect(sandboxProcesses()).toEqual([]);
    });
  });

  test('a daemon ends with the command, and does not delay its end', async () => {
    const daemon = '(setsid sh -c "trap \\"\\" TERM HUP INT; sleep 987" &) ; (nohup sleep 986 &) ; echo done';
    const { output, exitCode, ms } = await fixture.run(daemon);
    expect({ output: output.trim(), exitCode }).toEqual({ output: 'done', exitCode: 0 });
    expect(ms).toBeLessThan(5_000);
    await sleep(50);
    expect(sandboxProcesses()).toEqual([]);
  });

  test('a command that kills all it can reach ends itself alone', async () => {
    const { exitCode, limit } = await fixture.run('sleep 983 & kill -9 -1; sleep 982');
    expect([exitCode, limit]).toEqual([137, null]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  test('a command that ignores signals ends when it is aborted', async () => {
    const abort = new AbortController();
    const run = fixture.run('trap "" TERM INT HUP QUIT; while :; do sleep 1; done', { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 300);
    await expect(run).rejects.toThrow('enough');
    expect(sandboxProcesses()).toEqual([]);
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
    await once(server.stdout!, 'data');
    await expect.poll(() => sandboxProcesses().length).toBeGreaterThan(1);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await expect.poll(sandboxProcesses, { timeout: 5_000 }).toEqual([]);
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

/** Processes of sandboxes that this test has started. */
function sandboxProcesses(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('hindsight-attack-');
    } catch {
      return false;
    }
  });
}

/** An ELF program of 32 bits: `mov eax, 1; mov ebx, 42; int 0x80`, which exits with 42. */
function program32(): Buffer {
  const [base, headers] = [0x0804_8000, 84];
  const code = Buffer.from([0xb8, 1, 0, 0, 0, 0xbb, 42, 0, 0, 0, 0xcd, 0x80]);
  const file = Buffer.alloc(headers + code.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  for (const [offset, value] of [
    [16, 2],
    [18, 3],
    [40, 52],
    [42, 32],
    [44, 1],
  ] as const) {
    file.writeUInt16LE(value, offset);
  }
  const size = file.length;
  for (const [offset, value] of [
    [20, 1],
    [24, base + headers],
    [28, 52],
    [52, 1],
    [60, base],
    [64, base],
  ] as const) {
    file.writeUInt32LE(value, offset);
  }
  for (const [offset, value] of [
    [68, size],
    [72, size],
    [76, 5],
    [80, 0x1000],
  ] as const) {
    file.writeUInt32LE(value, offset);
  }
  file.set(code, headers);
  return file;
}

type ReadingAttack = readonly [name: string, command: string, expected: RegExp];

interface Targets {
  fixture: SandboxFixture | undefined;
  bystander: ChildProcess | undefined;
  port: number;
  socket: string;
  name: string;
}

const ABSENT = /^(?:[^\n]*: )?.*(?:No such file or directory|Not a directory)$/;
const READ_ONLY = /Read-only file system|Permission denied/;

/** Attacks that print what they found: name, shell commands, and what they have to print. */
function READING_ATTACKS({ fixture, bystander, port, socket, name }: Targets): ReadingAttack[] {
  const data = fixture?.dataDir ?? '';
  const node = '/run/hindsight/bin/node -e';
  const connect = (to: string) =>
    `${node} 'require("net").connect(${to}).on("error", (e) => console.log(e.code)).on("data", (d) => console.log(String(d)))'`;
  return [
    ['the data folder by its path', `cat '${data}/secret-key'`, ABSENT],
    ['the data folder through a link of the repository', 'cat to-data/secret-key', ABSENT],
    ['a secret through a link of the repository', 'cat to-secret', ABSENT],
    ['the data folder by leaving the checkout', `cat ../../../../../..${data}/secret-key`, ABSENT],
    [
      'the root folder of the first process',
      `cat to-root${data}/secret-key`,
      /No such file|Permission denied/,
    ],
    ['the working folder of the first process', `ls /proc/1/cwd${data}`, /No such file|Permission denied/],
    ['the home folder of the server', `ls '${homedir()}'`, ABSENT],
    ['the passwords of the host', 'cat /etc/shadow', ABSENT],
    ['the users of the host', 'cut -d: -f1 /etc/passwd | tr "\\n" " "', /^sandbox nobody$/],
    [
      'other folders of the host',
      'echo /*',
      /^\/bin \/checkout \/dev \/etc \/home \/lib(?: \/lib\w+)* \/proc \/run \/sbin(?: \/\w+)? \/tmp \/usr$/,
    ],
    ['files of others in /tmp', 'ls -A /tmp', /^hindsight-attack-\w+$/],
    ['the processes of the host', 'ls /proc | grep -c "^[0-9]"', /^\d$/],
    [
      'the environment of the server',
      'env | cut -d= -f1 | sort | tr "\\n" " "',
      /^(?:(?:ASAN_OPTIONS|CI|GOTOOLCHAIN|HOME|LANG|LOGNAME|NO_COLOR|OLDPWD|PATH|PWD|PYTHONDONTWRITEBYTECODE|SHELL|TERM|TMPDIR|TZ|USER|_) ?)+$/,
    ],
    [
      'the environment of the first process',
      'tr "\\0" "\\n" </proc/1/environ | grep -v "^PATH=\\|^LC_ALL=\\|^PWD="',
      /^(?:.*Permission denied)?$/,
    ],
    ['descriptors of the server', 'ls /proc/self/fd | tr "\\n" " "', /^0 1 2 3$/],
    ['programs of the host: write', 'echo x >/usr/bin/env', READ_ONLY],
    ['programs of the host: replace', 'mv /usr/bin/env /usr/bin/env2', READ_ONLY],
    ['the toolchain: write', `echo x >'${fixture?.toolchain}/compiler'`, READ_ONLY],
    ['the toolchain: delete', `rm -f '${fixture?.toolchain}/compiler'`, READ_ONLY],
    ['a hard link to a program', 'ln /usr/bin/env env', /Invalid cross-device link|Operation not permitted/],
    ['the root folder: write', 'echo x >/x; echo x >/etc/passwd', READ_ONLY],
    ['the device folder: write', 'echo x >/dev/x', READ_ONLY],
    [
      'memory and disks as devices',
      'ls /dev/mem /dev/kmsg /dev/sda /dev/vda /dev/loop0 /dev/kvm /dev/fuse 2>&1 | grep -vc "No such file"',
      /^0$/,
    ],
    ['kernel interface: /sys', 'ls /sys', ABSENT],
    ['kernel interface: core pattern', 'echo "|/checkout/x" >/proc/sys/kernel/core_pattern', READ_ONLY],
    [
      'kernel interface: system request',
      'echo b >/proc/sysrq-trigger',
      /Read-only file system|Permission denied|nonexistent/,
    ],
    ['kernel interface: memory image', 'head -c 8 /proc/kcore', /Permission denied|No such file/],
    ['kernel interface: keys of users', 'cat /proc/keys', /Permission denied|No such file/],
    ['kernel interface: cgroups', 'ls /sys/fs/cgroup; mkdir /sys/fs/cgroup/x', /No such file/],
    [
      'kernel interface: priority when memory is short',
      'echo -1000 >/proc/self/oom_score_adj; cat /proc/self/oom_score_adj',
      /\n1000$/,
    ],
    ['capabilities', 'grep -E "^Cap" /proc/self/status | grep -v "0000000000000000"; echo none', /^none$/],
    [
      'set-user-ID programs',
      'grep NoNewPrivs /proc/self/status; grep -o "nosuid" /proc/self/mountinfo | sort -u',
      /^NoNewPrivs:\s1\nnosuid$/,
    ],
    ['another user by su', 'su -c id </dev/null; id -u', /1000$/],
    ['user namespace of its own', "awk '{print $1, $3}' /proc/self/uid_map", /^1000 1$/],
    ['host name of its own', 'cat /proc/sys/kernel/hostname', /^sandbox$/],
    ['a process of the host', `kill -9 ${bystander?.pid}`, /No such process/],
    ['a server on the loopback of the host', connect(`${port}, "127.0.0.1"`), /^ECONNREFUSED$/],
    ['a host of the internet', connect('{ port: 443, host: "1.1.1.1" }'), /^ENETUNREACH$/],
    [
      'a name server',
      `${node} 'require("dns").promises.resolve4("example.org").catch((e) => console.log(e.code))'`,
      /^ECONNREFUSED|ETIMEOUT|ENOTFOUND|EAI_AGAIN$/,
    ],
    ['cloud metadata', connect('{ port: 80, host: "169.254.169.254" }'), /^ENETUNREACH$/],
    ['the unix socket of PostgreSQL', connect(`"${socket}"`), /^ENOENT$/],
    ['an abstract unix socket', connect(`"\\0${name}"`), /^ECONNREFUSED$/],
    [
      'network interfaces',
      `${node} 'console.log(Object.keys(require("os").networkInterfaces()).join())'`,
      /^lo$/,
    ],
    [
      'a loopback server of its own',
      `${node} 'const s = require("net").createServer((c) => c.end("own")).listen(0, () => require("net").connect(s.address().port).on("data", (d) => { console.log(String(d)); s.close() }))'`,
      /^own$/,
    ],
  ];
}

const READING_NAMES = READING_ATTACKS({
  ...{ fixture: undefined, bystander: undefined, port: 0, socket: '', name: '' },
}).map(([name]) => name);

type HoardingAttack = [
  name: string,
  command: string,
  limits: Partial<CommandLimits>,
  expected: ExceededLimit | RegExp,
];

/** Attacks that take too much: name, shell command, limits beside the usual ones, and the limit that ends them. */
const HOARDING_ATTACKS: HoardingAttack[] = [
  ['a command without end', 'sleep 300', { wallMs: 500 }, 'time'],
  [
    'a command that ignores signals',
    'trap "" TERM INT HUP QUIT XCPU; while :; do :; done',
    { wallMs: 700 },
    'time',
  ],
  ['a fork bomb', 'f() { f | f & }; f; sleep 60', {}, /^(?:processes|time)$/],
  ['many processes', 'i=0; while [ $i -lt 200 ]; do sleep 60 & i=$((i+1)); done; wait', {}, 'processes'],
  ['much memory in one process', 'perl -e \'my $x = "x" x (400 << 20); sleep 60\'', {}, 'memory'],
  [
    'little memory in many processes',
    'for i in 1 2 3 4 5 6 7 8; do perl -e \'my $x = "x" x (48 << 20); sleep 60\' & done; wait',
    {},
    'memory',
  ],
  [
    'memory in shared files',
    'for i in 1 2 3 4 5 6 7 8 9; do head -c 8m /dev/zero >/dev/shm/$i || exit 1; done',
    {},
    /exit 1 .*No space left/,
  ],
  [
    'processor time of many processes',
    'for i in 1 2 3; do (while :; do :; done) & done; wait',
    { cpuS: 2 },
    'cpu',
  ],
  ['processor time of one process', 'while :; do :; done', { cpuS: 1 }, /^(?:cpu|exit 15[28])/],
  [
    'one large file',
    'head -c 40m /dev/zero >file',
    {},
    /exit 1(?:53)? .*(?:File size limit exceeded|File too large)|exit 153/,
  ],
  ['a sparse file', 'truncate -s 1T file', {}, /File too large|exit 153/],
  ['many files of some size', 'i=0; while :; do head -c 4m /dev/zero >file$i; i=$((i+1)); done', {}, 'disk'],
  [
    'many empty files',
    'mkdir d; perl -e \'open(my $f, ">", "d/$_") for 1 .. 50000; sleep 60\'',
    { files: 20_000 },
    'disk',
  ],
  [
    'files in the scratch folders',
    'i=0; while :; do head -c 4m /dev/zero >/tmp/file$i; i=$((i+1)); done',
    {},
    'disk',
  ],
  ['an output flood', 'yes "a line of output that fills the disk or the memory of the reader"', {}, 'output'],
  ['output without line breaks', 'cat /dev/zero', {}, 'output'],
];
