import type { Sandbox } from './sandbox.ts';

/** Reason why a server runs no commands. `errors.sandbox_<reason>` says what to do. */
export type SandboxUnavailable =
  | 'off'
  | 'public_instance'
  | 'not_enabled'
  | 'not_linux'
  | 'no_bubblewrap'
  | 'no_util_linux'
  | 'refused';

/** Settings that decide about the sandbox. */
export interface SandboxSettings {
  /** Absolute path of the folder of all data, which no command may see. */
  dataDir: string;
  /** Absolute paths of folders that are mounted read-only; their `bin` folders are on the PATH. */
  toolchains: string[];
}

/** Finds the sandbox of this machine, or the reason why there is none, with the kernel's words in `detail`. */
export type FindSandbox = (
  settings: SandboxSettings,
) => Promise<{ sandbox: Sandbox } | { unavailable: SandboxUnavailable; detail: string }>;
