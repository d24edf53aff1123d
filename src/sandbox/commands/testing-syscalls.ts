import { arch } from 'node:os';
import { type FilterArchitecture, type SyscallName, syscallNumber } from './syscalls.ts';

/** A system call that the filter denies, and its results with and without the filter. */
interface SyscallAttack {
  attack: string;
  call: SyscallName;
  args: (number | string)[];
  filtered: string;
  /** Result where the kernel alone decides; absent where it is the same, for lack of a capability or of the call. */
  unfiltered?: RegExp;
}

const DENIED = 'errno 1';
const MISSING = 'errno 38';
const UNSUPPORTED = 'errno 97';
const NEW_USER = 0x1000_0000;
const SIGCHLD = 17;

/** Calls by the names of the attacks; the arguments are such that the kernel's own answer is another one than the filter's. */
export const SYSCALL_ATTACKS: SyscallAttack[] = [
  {
    attack: 'user namespace by unshare',
    call: 'unshare',
    args: [NEW_USER],
    filtered: DENIED,
    unfiltered: /^ok/,
  },
  {
    attack: 'user namespace by clone',
    call: 'clone',
    args: [NEW_USER | SIGCHLD, 0, 0, 0, 0],
    filtered: DENIED,
    unfiltered: /^ok/,
  },
  {
    attack: 'user namespace by clone3',
    call: 'clone3',
    args: ['\0'.repeat(64), 8],
    filtered: MISSING,
    unfiltered: /^errno 22/,
  },
  { attack: 'joining a namespace', call: 'setns', args: [99, 0], filtered: DENIED, unfiltered: /^errno 9/ },
  { attack: 'mount', call: 'mount', args: ['none', '/tmp', 'tmpfs', 0, 0], filtered: DENIED },
  { attack: 'unmount', call: 'umount2', args: ['/proc', 2], filtered: DENIED },
  { attack: 'new mount interface', call: 'fsopen', args: ['tmpfs', 0], filtered: DENIED },
  {
    attack: 'copy of a mount tree',
    call: 'open_tree',
    args: [-100, '/absent', 0],
    filtered: DENIED,
    unfiltered: /^errno 2/,
  },
  { attack: 'change of the root folder', call: 'pivot_root', args: ['/tmp', '/tmp'], filtered: DENIED },
  { attack: 'chroot', call: 'chroot', args: ['/absent'], filtered: DENIED, unfiltered: /^errno 2/ },
  {
    attack: 'file by handle, past the mounts',
    call: 'name_to_handle_at',
    args: [-100, '/absent', 0, 0, 0],
    filtered: DENIED,
    unfiltered: /^errno (?:2|14)/,
  },
  {
    attack: 'ptrace',
    call: 'ptrace',
    args: [0x4206, 1, 0, 0],
    filtered: DENIED,
    unfiltered: /^(?:ok|errno (?:1|3))/,
  },
  { attack: 'ptrace of itself', call: 'ptrace', args: [0, 0, 0, 0], filtered: DENIED, unfiltered: /^ok/ },
  {
    attack: 'memory of another process',
    call: 'process_vm_readv',
    args: [99_999, 0, 0, 0, 0, 0],
    filtered: DENIED,
    unfiltered: /^(?:ok|errno 3)/,
  },
  {
    attack: 'descriptor of another process',
    call: 'pidfd_getfd',
    args: [99, 0, 0],
    filtered: DENIED,
    unfiltered: /^errno 9/,
  },
  {
    attack: 'keyring: add a key',
    call: 'add_key',
    args: ['user', 'name', 'secret', 6, -3],
    filtered: DENIED,
    unfiltered: /^ok/,
  },
  {
    attack: 'keyring: read',
    call: 'keyctl',
    args: [0, -3, 0, 0, 0],
    filtered: DENIED,
    unfiltered: /^(?:ok|errno 126)/,
  },
  { attack: 'bpf', call: 'bpf', args: [0, 0, 0], filtered: DENIED },
  {
    attack: 'performance counters',
    call: 'perf_event_open',
    args: [0, 0, -1, -1, 0],
    filtered: DENIED,
    unfiltered: /^errno (?:14|13|38)/,
  },
  {
    attack: 'io_uring',
    call: 'io_uring_setup',
    args: [0, 0],
    filtered: MISSING,
    unfiltered: /^errno (?:22|14|1)/,
  },
  { attack: 'user faults', call: 'userfaultfd', args: [1], filtered: DENIED, unfiltered: /^(?:ok|errno 38)/ },
  { attack: 'new kernel', call: 'kexec_load', args: [0, 0, 0, 0], filtered: DENIED },
  { attack: 'kernel module', call: 'finit_module', args: [0, '', 0], filtered: DENIED },
  { attack: 'kernel log', call: 'syslog', args: [10, 0, 0], filtered: DENIED, unfiltered: /^(?:ok|errno 1)/ },
  { attack: 'clock', call: 'clock_settime', args: [0, '\0'.repeat(16)], filtered: DENIED },
  {
    attack: 'clock adjustment',
    call: 'adjtimex',
    args: ['\0'.repeat(256)],
    filtered: DENIED,
    unfiltered: /^ok/,
  },
  { attack: 'host name', call: 'sethostname', args: ['pwned', 5], filtered: DENIED },
  { attack: 'reboot', call: 'reboot', args: [0, 0, 0, 0], filtered: DENIED },
  { attack: 'swap', call: 'swapon', args: ['/tmp/x', 0], filtered: DENIED },
  { attack: 'quotas', call: 'quotactl', args: [0, 0, 0, 0], filtered: DENIED, unfiltered: /^errno/ },
  {
    attack: 'file in memory, charged to no process',
    call: 'memfd_create',
    args: ['x', 0],
    filtered: MISSING,
    unfiltered: /^ok/,
  },
  {
    attack: 'large shared segment',
    call: 'shmget',
    args: [0, 2 ** 20, 0o1600],
    filtered: DENIED,
    unfiltered: /^ok/,
  },
  { attack: 'execution domain', call: 'personality', args: [0x0040000], filtered: DENIED, unfiltered: /^ok/ },
  {
    attack: 'input for a terminal',
    call: 'ioctl',
    args: [0, 0x5412, 'x'],
    filtered: DENIED,
    unfiltered: /^errno (?:25|5)/,
  },
  {
    attack: 'paste into a console',
    call: 'ioctl',
    args: [0, 0x541c, '\x03'],
    filtered: DENIED,
    unfiltered: /^errno (?:25|5)/,
  },
  {
    attack: 'set-user-ID bit by chmod',
    call: 'fchmodat',
    args: [-100, '/tmp', 0o4777],
    filtered: DENIED,
    unfiltered: /^ok/,
  },
  {
    attack: 'set-user-ID bit at creation',
    call: 'openat',
    args: [-100, '/tmp/suid', 0o101, 0o4755],
    filtered: DENIED,
    unfiltered: /^ok/,
  },
  { attack: 'device file', call: 'mknodat', args: [-100, '/tmp/mem', 0o20666, 0x101], filtered: DENIED },
  {
    attack: 'flags that a filter can’t read',
    call: 'openat2',
    args: [-100, '/tmp', '\0'.repeat(24), 24],
    filtered: MISSING,
    unfiltered: /^ok/,
  },
  {
    attack: 'vsock',
    call: 'socket',
    args: [40, 1, 0],
    filtered: UNSUPPORTED,
    unfiltered: /^(?:ok|errno 97)/,
  },
  {
    attack: 'netlink: kernel events',
    call: 'socket',
    args: [16, 3, 15],
    filtered: UNSUPPORTED,
    unfiltered: /^ok/,
  },
  {
    attack: 'netlink: audit',
    call: 'socket',
    args: [16, 3, 9],
    filtered: UNSUPPORTED,
    unfiltered: /^(?:ok|errno (?:1|93))/,
  },
  {
    attack: 'packet socket',
    call: 'socket',
    args: [17, 3, 0],
    filtered: UNSUPPORTED,
    unfiltered: /^errno 1/,
  },
  {
    attack: 'kernel crypto socket',
    call: 'socket',
    args: [38, 5, 0],
    filtered: UNSUPPORTED,
    unfiltered: /^(?:ok|errno 97)/,
  },
  { attack: 'raw socket', call: 'socket', args: [2, 3, 1], filtered: 'errno 1' },
  {
    attack: 'pair of other sockets',
    call: 'socketpair',
    args: [30, 1, 0, '\0'.repeat(8)],
    filtered: UNSUPPORTED,
  },
];

/** Calls that programs need, which the filter has to leave alone. */
export const SYSCALL_USES: Pick<SyscallAttack, 'attack' | 'call' | 'args'>[] = [
  { attack: 'inet socket', call: 'socket', args: [2, 1, 0] },
  { attack: 'unix socket', call: 'socket', args: [1, 1, 0] },
  { attack: 'routes', call: 'socket', args: [16, 3, 0] },
  { attack: 'small shared segment', call: 'shmget', args: [0, 4096, 0o1600] },
  { attack: 'file', call: 'openat', args: [-100, '/tmp/file', 0o101, 0o755] },
  { attack: 'mode', call: 'fchmodat', args: [-100, '/tmp/file', 0o700] },
  { attack: 'execution domain', call: 'personality', args: [0xffff_ffff] },
];

/** A script of perl that makes each call in a child and prints its result, one line each: `ok` or `errno n`. */
export function syscallScript(calls: Pick<SyscallAttack, 'call' | 'args'>[]): string {
  const architecture = arch() as FilterArchitecture;
  const lines = calls.map(({ call, args }) => {
    const number = syscallNumber(call, architecture) ?? 0x3fff_ffff;
    const values = args.map((value) => (typeof value === 'number' ? String(value) : quote(value)));
    return `try(${[number, ...values].join(', ')});`;
  });
  // A pipe carries the result: a child of clone runs on behind the call, in a namespace of its own.
  return `use POSIX; $| = 1;
sub try { my ($number, @given) = @_; my @args = map { my $copy = $_; $copy } @given;
  pipe(my $in, my $out); my $pid = fork(); if ($pid == 0) {
    my $result = syscall($number, @args);
    syswrite($out, $result == -1 ? "errno " . ($! + 0) . "\\n" : "ok\\n"); POSIX::_exit(0) }
  close $out; my $line = <$in>; waitpid($pid, 0); print $line || "killed\\n" }
${lines.join('\n')}
`;
}

function quote(value: string): string {
  return `"${[...Buffer.from(value)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
}
