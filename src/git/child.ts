import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A complete command: nothing is inherited from this process. */
export interface Command {
  /** Program and arguments. */
  argv: string[];
  env: Record<string, string>;
  cwd: string;
}

/** A started program, leader of its own process group. */
export interface Child {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Kills the whole group; false when the program has ended before. */
  kill(): boolean;
  /** Lets this thread end while the program still runs, as an idle one should; `ref` takes that back. */
  unref(): void;
  ref(): void;
  /** Resolves once it has ended and all that it printed was read; never rejects. */
  readonly ended: Promise<ChildEnd>;
}

/** Exit of a program, or the error that kept it from starting. */
export type ChildEnd = { exitCode: number | null; signal: NodeJS.Signals | null } | { error: Error };

/** Starts a program from this process. The cost grows with our own memory: see `spawner.ts`. */
export function startChild({ argv, env, cwd }: Command): Child {
  const child = spawn(argv[0]!, argv.slice(1), {
    cwd,
    env,
    detached: true,
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A git that was killed by a limit leaves git-remote-http behind.
  child.once('exit', () => killGroup(child.pid));
  const handles = [child, child.stdin, child.stdout, child.stderr] as { ref?(): void; unref?(): void }[];
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    kill: () => {
      if (child.exitCode !== null || child.signalCode !== null) return false;
      killGroup(child.pid);
      return true;
    },
    ref: () => {
      for (const handle of handles) handle.ref?.();
    },
    unref: () => {
      for (const handle of handles) handle.unref?.();
    },
    ended: new Promise((resolve) => {
      child.once('error', (error) => resolve({ error }));
      child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    }),
  };
}

/** Kills a process group by its leader: the children of the leader outlive it otherwise. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone, or never came to be.
  }
}
