import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseShell, findSandbox, prepareMachine } from './find-sandbox.ts';
import { removeSandboxFolder } from './remove-folder.ts';
import { runInSandbox, type SandboxMachine } from './run-in-sandbox.ts';
import type { CommandResult, SandboxCommand } from './sandbox.ts';
import { assembleFilter } from './seccomp-filter.ts';
import type { FilterArchitecture, SyscallName } from './syscalls.ts';

/** Reason why the tests of the sandbox are left out on this machine; null where they run. */
export const SANDBOX_MISSING = await findSandbox({ dataDir: '/nonexistent', toolchains: [] }).then((found) =>
  'sandbox' in found ? null : `${found.unavailable}: ${found.detail}`.replace(/\s+/g, ' '),
);

/** Title of a group of tests that need a sandbox. */
export const sandboxTitle = (title: string): string =>
  SANDBOX_MISSING === null
    ? title
    : `${title}: LEFT OUT, on Debian \`apt-get install bubblewrap util-linux\` (${SANDBOX_MISSING})`;

/** A machine with folders for checkouts, and the data of a server that no command may reach. */
export interface SandboxFixture {
  machine: SandboxMachine;
  /** Folder of everything, on the host. */
  root: string;
  dataDir: string;
  toolchain: string;
  /** A new checkout with these files; text alone. */
  checkout(files?: Record<string, string>): string;
  /** Runs a command in a checkout of its own. */
  run(command: string, options?: Partial<SandboxCommand>): Promise<CommandResult>;
  close(): Promise<void>;
}

/** Prepares a machine; `without` takes calls out of the filter. */
export async function openSandboxFixture({
  without,
}: {
  without?: SyscallName[];
} = {}): Promise<SandboxFixture> {
  const root = mkdtempSync(join(tmpdir(), 'hindsight-attack-'));
  const [dataDir, toolchain] = [join(root, 'data'), join(root, 'toolchain')];
  for (const folder of [dataDir, toolchain]) mkdirSync(folder);
  writeFileSync(join(dataDir, 'secret-key'), 'the secret of the server');
  writeFileSync(join(toolchain, 'compiler'), 'echo compiled\n', { mode: 0o755 });
  const settings = { dataDir, toolchains: [toolchain] };
  const filter = assembleFilter(arch() as FilterArchitecture, { without });
  const machine = await prepareMachine(settings, filter, chooseShell());
  let count = 0;
  const fixture: SandboxFixture = {
    ...{ machine, root, dataDir, toolchain },
    checkout(files = {}) {
      const folder = join(root, `checkout-${++count}`);
      mkdirSync(folder);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(folder, path, '..'), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      return folder;
    },
    run: (command, options = {}) =>
      runInSandbox(machine, { checkout: fixture.checkout(), command, ...options }),
    async close() {
      await removeSandboxFolder(root);
      await rm(root, { recursive: true, force: true });
    },
  };
  return fixture;
}
