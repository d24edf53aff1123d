import type { Egress } from '#egress/proxy.ts';

/** Bounds of one command, over all processes that it starts. */
export interface CommandLimits {
  /** Milliseconds from start to end. */
  wallMs: number;
  /** Seconds of processor time. */
  cpuS: number;
  /** MiB of memory, over all processes. */
  memoryMb: number;
  /** Processes and threads. */
  processes: number;
  /** MiB of the largest file. */
  fileMb: number;
  /** MiB on disk of the checkout and the scratch folders. */
  diskMb: number;
  /** Files and folders in the same. */
  files: number;
  /** Bytes of output that the result keeps: its beginning and its end. */
  outputBytes: number;
}

/** Limits for a test command on one machine that serves others too. */
export const DEFAULT_COMMAND_LIMITS: CommandLimits = {
  wallMs: 5 * 60_000,
  cpuS: 600,
  memoryMb: 2048,
  processes: 512,
  fileMb: 512,
  diskMb: 4096,
  files: 500_000,
  outputBytes: 256 * 1024,
};

/** A limit that ended a command. */
export type ExceededLimit = 'time' | 'cpu' | 'memory' | 'processes' | 'disk' | 'output';

/** Result of a set-up command, kept by the content of the lockfiles: see `Sandbox.prepare`. */
export interface PreparedSetup {
  /** Absolute folder in the cache. */
  folder: string;
  /** Paths relative to the checkout that are mounted read-only from `folder`, such as `node_modules`. */
  paths: string[];
}

/** A shell command to run in a sandbox. */
export interface SandboxCommand {
  /** Absolute path of a folder that `checkOut` has filled; the command may write to it. One command at a time. */
  checkout: string;
  /** Executed by `/bin/sh -c` in the checkout. */
  command: string;
  /** Additions to the environment, which has neither variables nor secrets of the server. */
  environment?: Record<string, string>;
  setup?: PreparedSetup | null;
  /** Absolute folder that the command may write to at `PLACES.lines`; its content is as foreign as the checkout's. */
  lines?: string | null;
  limits?: Partial<CommandLimits>;
  /** Ends the command, which then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** The end of a command; one that a limit ended has the signal `SIGKILL`. */
export interface CommandResult {
  /** As a shell counts: 128 + n where signal n ended the command; null where a limit did. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Standard output and standard error in order, without secrets. */
  output: string;
  /** True when the middle of the output was left out. */
  isTruncated: boolean;
  limit: ExceededLimit | null;
  ms: number;
}

/** A command that fetches what tests need, once per content of the lockfiles. */
export interface SetupRequest {
  /** Absolute path of the bare repository. */
  repo: string;
  /** Full hash. */
  commit: string;
  /** Unified diff to apply to the revision first. */
  patch?: string | null;
  command: string;
  /** Hosts that the command may reach over TLS: `name`, `name:port`, or `.domain` for all names below it. */
  hosts: readonly string[];
  /** Absolute folder of the kept results, one for each project: no project gets another's result. */
  cacheDir: string;
  egress: Egress;
  limits?: Partial<CommandLimits>;
  signal?: AbortSignal;
}

/** The result of a set-up, or the run that failed with the hosts (`name:port`) that it asked for in vain. */
export type SetupOutcome = { setup: PreparedSetup } | { failed: CommandResult; refusedHosts: string[] };

/** Runs commands of strangers: see docs/sandbox.md. */
export interface Sandbox {
  /** Rejects only when aborted, or when the sandbox itself fails; what the command does is a result. */
  run(command: SandboxCommand): Promise<CommandResult>;
  /** Runs a set-up command with network, or finds the result of an earlier run. */
  prepare(request: SetupRequest): Promise<SetupOutcome>;
}
