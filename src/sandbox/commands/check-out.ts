import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { assertOid, git, type RunOptions } from '#git/run.ts';
import type { SetupFile } from './setup-files.ts';

/** Options of a checkout. */
interface CheckOutOptions {
  /** Unified diff to apply to the revision first. */
  patch?: string | null;
  signal?: AbortSignal;
}

/** Time limit of each of the three git processes. */
const TIMEOUT_MS = 300_000;
const MAX_PATCH_LENGTH = 4 * 2 ** 20;

/**
 * Writes the files of a revision (full hash) of a bare repository to a new folder, without `.git`.
 *
 * git runs neither hooks nor filters, for the configuration is ours and names none: `.gitattributes` can ask for a filter, and
 * nothing answers. Submodules are empty folders. git replaces a symbolic link on the way to a file by a folder instead of
 * following it, so that no file lands outside. The index and the objects of a patch lie in a temporary folder.
 */
export async function checkOut(
  repo: string,
  commit: string,
  folder: string,
  options: CheckOutOptions = {},
): Promise<void> {
  await withIndex(repo, commit, folder, options, (run) =>
    run(['checkout-index', '--all', '--force', '--quiet']),
  );
}

/** The same for the chosen files alone; returns what `choose` returned. */
export async function checkOutFiles<T extends { manifests: SetupFile[] }>(
  repo: string,
  commit: string,
  folder: string,
  choose: (files: SetupFile[]) => T,
  options: CheckOutOptions = {},
): Promise<T> {
  return await withIndex(repo, commit, folder, options, async (run) => {
    const { stdout } = await run(['ls-files', '--stage', '-z']);
    const chosen = choose(stdout.toString().split('\0').filter(Boolean).map(parseEntry));
    const input = chosen.manifests.map(({ path }) => `${path}\0`).join('');
    await run(['checkout-index', '--force', '--quiet', '-z', '--stdin'], { input });
    return chosen;
  });
}

/** Reads the revision into an index of its own, with the patch applied, whose work tree is the new folder. */
async function withIndex<T>(
  repo: string,
  commit: string,
  folder: string,
  { patch = null, signal }: CheckOutOptions,
  write: (run: RunGit) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { mode: 0o700 });
  const temporary = await mkdtemp(join(tmpdir(), 'hindsight-checkout-'));
  try {
    await mkdir(join(temporary, 'objects'));
    const env = {
      GIT_WORK_TREE: folder,
      GIT_INDEX_FILE: join(temporary, 'index'),
      GIT_OBJECT_DIRECTORY: join(temporary, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repo, 'objects'),
    };
    // Real symbolic links: tests rely on them, and only the sandbox follows them.
    const config = { 'core.symlinks': 'true', 'core.fsync': 'none' };
    const run: RunGit = (args, options = {}) =>
      git(repo, args, { name: args[0]!, env, config, timeoutMs: TIMEOUT_MS, signal, ...options });
    await run(['read-tree', `${assertOid(commit)}^{tree}`]);
    if (patch !== null) await applyPatch(run, commit, patch);
    return await write(run);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** An entry of the index: `mode SP oid SP stage TAB path`. */
function parseEntry(entry: string): SetupFile {
  const tab = entry.indexOf('\t');
  const [mode = '', oid = ''] = entry.slice(0, tab).split(' ');
  return { path: entry.slice(tab + 1), mode, oid };
}

type RunGit = (args: string[], options?: Partial<RunOptions>) => ReturnType<typeof git>;

async function applyPatch(run: RunGit, commit: string, patch: string): Promise<void> {
  const refused = (reason: string) =>
    new AppError('bad_request', 'proof_patch_rejected', { params: { commit: commit.slice(0, 7), reason } });
  if (patch.length > MAX_PATCH_LENGTH) throw refused('The patch is too large.');
  // Counts in hunk headers are the part of a patch that is most often wrong.
  const { exitCode, stderr } = await run(['apply', '--cached', '--recount', '--whitespace=nowarn', '-'], {
    input: patch.endsWith('\n') ? patch : `${patch}\n`,
    ok: [0, 1, 128],
  });
  if (exitCode !== 0) throw refused(firstError(stderr));
}

function firstError(stderr: string): string {
  return (/^(?:error|fatal): (.*)$/m.exec(stderr)?.[1] ?? stderr).slice(0, 300);
}
