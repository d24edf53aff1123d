import { endianness } from 'node:os';
import {
  type FilterArchitecture,
  HIGHEST_KNOWN_SYSCALL,
  type SyscallName,
  syscallNumber,
} from './syscalls.ts';

/**
 * The seccomp filter of the sandbox: a classic BPF program that the kernel runs before each system call.
 *
 * It denies by list instead of allowing by list. Test suites of any language run here, and an allow-list breaks with each
 * release of glibc, Go or the JVM; namespaces, missing capabilities and read-only mounts are what isolates. The list removes
 * the parts of the kernel in which escapes were found (namespaces, mounts, keyrings, bpf, io_uring, perf, userfaultfd …), and
 * the few calls to which namespaces do not apply. Calls newer than the list do not exist here: everything above
 * `HIGHEST_KNOWN_SYSCALL` is ENOSYS, which programs expect of an older kernel, and x32 (numbers from 2^30) lies above it.
 * A 32-bit call has another architecture in `seccomp_data`, and ends the process.
 *
 *   seccomp_data = { nr: u32 @0, arch: u32 @4, instruction_pointer: u64 @8, args: u64[6] @16 }
 *   instruction  = { code: u16, jump if true: u8, jump if false: u8, k: u32 }, jumps relative to the next
 */
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number];

const [LOAD, JUMP_EQUAL, JUMP_GREATER, JUMP_SET, RETURN] = [0x20, 0x15, 0x25, 0x45, 0x06];
const ACTION = { kill: 0x8000_0000, errno: 0x0005_0000, allow: 0x7fff_0000 };
const ERRNO = { EPERM: 1, EAFNOSUPPORT: 97, ENOSYS: 38 };
const AUDIT_ARCH: Record<FilterArchitecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Privileged calls, and those that reach beyond the process: EPERM. */
const FORBIDDEN: SyscallName[] = [
  // Namespaces and mounts; `clone` has a rule of its own.
  ...([
    'unshare',
    'setns',
    'mount',
    'umount2',
    'pivot_root',
    'chroot',
    'open_tree',
    'open_tree_attr',
  ] as const),
  ...(['move_mount', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'] as const),
  ...(['statmount', 'listmount', 'name_to_handle_at', 'open_by_handle_at', 'fanotify_init'] as const),
  // Memory and state of other processes. The PID namespace has none but its own; debuggers are not needed for a test.
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise', 'process_mrelease'] as const),
  ...(['kcmp', 'pidfd_getfd'] as const),
  // Keyrings have no namespace.
  ...(['add_key', 'request_key', 'keyctl'] as const),
  // Programs and modules in the kernel, its log, its counters.
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'init_module', 'finit_module', 'delete_module'] as const),
  ...(['kexec_load', 'kexec_file_load', 'syslog', 'lookup_dcookie', 'nfsservctl', 'sysfs', 'ustat'] as const),
  // The machine: clock, names, swap, quotas, ports, NUMA.
  ...([
    'settimeofday',
    'clock_settime',
    'clock_adjtime',
    'adjtimex',
    'sethostname',
    'setdomainname',
  ] as const),
  ...([
    'reboot',
    'swapon',
    'swapoff',
    'acct',
    'quotactl',
    'quotactl_fd',
    'vhangup',
    'iopl',
    'ioperm',
  ] as const),
  ...(['mbind', 'get_mempolicy', 'set_mempolicy', 'set_mempolicy_home_node', 'migrate_pages'] as const),
  ...(['move_pages', 'modify_ldt', 'uselib'] as const),
];

/**
 * Calls that programs do without: ENOSYS. `clone3` and `openat2` hide their flags in memory, where a filter can't read; memory
 * files are charged to no process, so that no limit would see them.
 */
const ABSENT: SyscallName[] = [
  ...(['clone3', 'openat2', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['memfd_create', 'memfd_secret'] as const),
];

const CLONE_NAMESPACES = 0x7e02_0000;
const SET_ID_BITS = 0o6000;
/** Set in the modes of character and block devices, and in no other that `mknod` takes. */
const DEVICE_BIT = 0o20000;
const O_CREAT_OR_TMPFILE = 0o20000100;
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
const FAMILY = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
const MAX_SHARED_SEGMENT = 4096;
const PERSONALITY_QUERY = 0xffff_ffff;

const allow = [RETURN, 0, 0, ACTION.allow] as const;
const deny = (errno: keyof typeof ERRNO) => [RETURN, 0, 0, ACTION.errno | ERRNO[errno]] as const;
/** The lower half of an argument. The kernel takes flags and modes as 32 bits, and so ignores the upper half as well. */
const argument = (index: number, half: 'low' | 'high' = 'low') =>
  [LOAD, 0, 0, 16 + 8 * index + (half === 'low' ? 0 : 4)] as const;

/** Denies when an argument has one of the bits. */
const unlessBits = (index: number, bits: number): Instruction[] => [
  argument(index),
  [JUMP_SET, 0, 1, bits],
  deny('EPERM'),
  allow,
];

/** The same for the mode of a file that is created: without `O_CREAT` the argument is not one. */
const unlessCreatedWithBits = (flags: number, mode: number): Instruction[] => [
  argument(flags),
  [JUMP_SET, 1, 0, O_CREAT_OR_TMPFILE],
  allow,
  ...unlessBits(mode, SET_ID_BITS),
];

/** Calls whose arguments decide. Each rule ends with a return, whatever the arguments are. */
const RULES: Partial<Record<SyscallName, Instruction[]>> = {
  clone: unlessBits(0, CLONE_NAMESPACES),
  // A file that belongs to the server's user and has the set-user-ID bit would give that user to others on the machine.
  chmod: unlessBits(1, SET_ID_BITS),
  fchmod: unlessBits(1, SET_ID_BITS),
  fchmodat: unlessBits(2, SET_ID_BITS),
  fchmodat2: unlessBits(2, SET_ID_BITS),
  creat: unlessBits(1, SET_ID_BITS),
  open: unlessCreatedWithBits(1, 2),
  openat: unlessCreatedWithBits(2, 3),
  mknod: unlessBits(1, SET_ID_BITS | DEVICE_BIT),
  mknodat: unlessBits(2, SET_ID_BITS | DEVICE_BIT),
  // Input for a terminal that is read by a shell outside.
  ioctl: [argument(1), [JUMP_EQUAL, 1, 0, TIOCSTI], [JUMP_EQUAL, 0, 1, TIOCLINUX], deny('EPERM'), allow],
  personality: [
    argument(0),
    [JUMP_EQUAL, 2, 0, 0],
    [JUMP_EQUAL, 1, 0, PERSONALITY_QUERY],
    deny('EPERM'),
    allow,
  ],
  // Segments that no process has attached are charged to none; a database needs a few bytes.
  shmget: [
    argument(1, 'high'),
    [JUMP_EQUAL, 0, 2, 0],
    argument(1),
    [JUMP_GREATER, 0, 1, MAX_SHARED_SEGMENT],
    deny('EPERM'),
    allow,
  ],
  // Families beside these have no namespace (vsock), or bring kernel code that no test needs. Routes are what `getifaddrs` reads.
  socket: [
    argument(0),
    [JUMP_EQUAL, 6, 0, FAMILY.unix],
    [JUMP_EQUAL, 5, 0, FAMILY.inet],
    [JUMP_EQUAL, 4, 0, FAMILY.inet6],
    [JUMP_EQUAL, 0, 2, FAMILY.netlink],
    argument(2),
    [JUMP_EQUAL, 1, 0, 0],
    deny('EAFNOSUPPORT'),
    allow,
  ],
  socketpair: [argument(0), [JUMP_EQUAL, 1, 0, FAMILY.unix], deny('EAFNOSUPPORT'), allow],
};

/** Returns the program in the form of `struct sock_filter[]`; `without` leaves out the rules of some calls, for tests. */
export function assembleFilter(
  architecture: FilterArchitecture,
  { without = [] }: { without?: readonly SyscallName[] } = {},
): Buffer {
  const program: Instruction[] = [
    [LOAD, 0, 0, 4],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH[architecture]],
    [RETURN, 0, 0, ACTION.kill],
    [LOAD, 0, 0, 0],
    [JUMP_GREATER, 0, 1, HIGHEST_KNOWN_SYSCALL],
    deny('ENOSYS'),
  ];
  const add = (name: SyscallName, rule: readonly Instruction[]) => {
    const number = syscallNumber(name, architecture);
    if (number !== null && !without.includes(name)) {
      program.push([JUMP_EQUAL, 0, rule.length, number], ...rule);
    }
  };
  for (const name of FORBIDDEN) add(name, [deny('EPERM')]);
  for (const name of ABSENT) add(name, [deny('ENOSYS')]);
  for (const [name, rule] of Object.entries(RULES)) add(name as SyscallName, rule);
  return encode([...program, allow]);
}

function encode(program: Instruction[]): Buffer {
  // Both architectures run in little-endian order under every distribution.
  if (endianness() !== 'LE') throw new Error('The filter is for little-endian machines.');
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}
