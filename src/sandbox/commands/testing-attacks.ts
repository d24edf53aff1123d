import { existsSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import type { CommandLimits, ExceededLimit } from './sandbox.ts';

/** Name, shell commands, and what they have to print. */
type ReadingAttack = readonly [name: string, command: string, expected: RegExp];

/** Targets on the host. */
interface Targets {
  dataDir: string;
  toolchain: string;
  /** A process of the host. */
  bystander: number | undefined;
  /** Port of a server on loopback. */
  port: number;
  /** Path of a unix socket, and name of an abstract one. */
  socket: string;
  name: string;
  /** Key of a shared memory segment and of a message queue. */
  ipcKey: number;
}

const ABSENT = /^(?:[^\n]*: )?.*(?:No such file or directory|Not a directory)$/;
const ABSENT_IPC = /^(?:No such file or directory|Operation not permitted|Function not implemented)$/;
const READ_ONLY = /Read-only file system|Permission denied/;

/** Attacks that print what they found: name, shell commands, and what they have to print. */
export function readingAttacks(targets: Targets): ReadingAttack[] {
  return [...dataAttacks(targets), ...kernelAttacks(targets), ...networkAttacks(targets)];
}

function dataAttacks({ dataDir }: Targets): ReadingAttack[] {
  return [
    ['the data folder by its path', `cat '${dataDir}/secret-key'`, ABSENT],
    ['the data folder through a link of the repository', 'cat to-data/secret-key', ABSENT],
    ['a secret through a link of the repository', 'cat to-secret', ABSENT],
    ['the data folder by leaving the checkout', `cat ../../../../../..${dataDir}/secret-key`, ABSENT],
    [
      'the root folder of the first process',
      `cat to-root${dataDir}/secret-key`,
      /No such file|Permission denied/,
    ],
    ['the working folder of the first process', `ls /proc/1/cwd${dataDir}`, /No such file|Permission denied/],
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
      'tr "\\0" "\\n" </proc/1/environ | grep -v "^PATH=\\|^LC_ALL=\\|^PWD=\\|^SHLVL="',
      /^(?:.*Permission denied)?$/,
    ],
  ];
}

/** Prints the namespaces that a process shares with this one. */
function sharedNamespaces(): string {
  const kinds = ['ipc', 'mnt', 'net', 'pid', 'user', 'uts'];
  const comparisons = kinds.flatMap((kind) => {
    const place = `/proc/self/ns/${kind}`;
    return existsSync(place) ? `[ "$(readlink ${place})" = "${readlinkSync(place)}" ] && echo ${kind}` : [];
  });
  return [...comparisons, 'echo none'].join('; ');
}

function kernelAttacks({ toolchain, ipcKey }: Targets): ReadingAttack[] {
  return [
    ['namespaces of the host', sharedNamespaces(), /^none$/],
    [
      'shared memory of the host',
      `perl -e 'my $id = shmget(${ipcKey}, 4096, 0); defined $id or die "$!\n"; shmread($id, my $text, 0, 24); print $text'`,
      ABSENT_IPC,
    ],
    [
      'a message queue of the host',
      `perl -e 'my $id = msgget(${ipcKey}, 0); defined $id or die "$!\n"; msgrcv($id, my $text, 24, 0, 0); print $text'`,
      ABSENT_IPC,
    ],
    ['descriptors of the server', 'ls /proc/self/fd | tr "\\n" " "', /^0 1 2 3$/],
    ['programs of the host: write', 'echo x >/usr/bin/env', READ_ONLY],
    ['programs of the host: replace', 'mv /usr/bin/env /usr/bin/env2', READ_ONLY],
    ['the toolchain: write', `echo x >'${toolchain}/compiler'`, READ_ONLY],
    ['the toolchain: delete', `rm -f '${toolchain}/compiler'`, READ_ONLY],
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
  ];
}

function networkAttacks({ bystander, port, socket, name }: Targets): ReadingAttack[] {
  const node = '/run/hindsight/bin/node -e';
  const connect = (to: string) =>
    `${node} 'require("net").connect(${to}).on("error", (e) => console.log(e.code)).on("data", (d) => console.log(String(d)))'`;
  return [
    ['a process of the host', `kill -9 ${bystander}`, /No such process/],
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

type HoardingAttack = [
  name: string,
  command: string,
  limits: Partial<CommandLimits>,
  expected: ExceededLimit | RegExp,
];

/** Attacks that take too much: name, shell command, limits beside the usual ones, and the limit that ends them. */
export const HOARDING_ATTACKS: HoardingAttack[] = [
  ['a command without end', 'sleep 300', { wallMs: 500 }, 'time'],
  [
    'a command that ignores signals',
    'trap "" TERM INT HUP QUIT XCPU; while :; do :; done',
    { wallMs: 700 },
    'time',
  ],
  // Where the kernel takes long for a fork, the processor's limit comes before that of processes.
  ['a fork bomb', 'f() { f | f & }; f; sleep 60', {}, /^(?:processes|time|cpu)$/],
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
    { cpuS: 1 },
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
    'mkdir d; perl -e \'open(my $f, ">", "d/$_") for 1 .. 12000; sleep 60\'',
    { files: 5_000 },
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
