import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDiff } from './diff.ts';
import { assertOid, git, isRepositoryPath, type RunOptions } from './run.ts';
import { findEntry } from './tree.ts';

/**
 * Result of applying a patch to a commit: the contents of its files, without deleted ones, and the patch as git formats it,
 * with correct headers and counts.
 */
type PatchCheck =
  | { applies: true; files: { path: string; content: string }[]; patch: string }
  | { applies: false; reason: string };

const MAX_FILES = 50;
const MAX_PATCH = 2 ** 20;

/**
 * Tries a patch on a commit (a full hash) without writing to the repository: an index that holds only the touched
 * paths, and objects in a temporary folder.
 */
export async function checkPatch(repo: string, commit: string, patch: string): Promise<PatchCheck> {
  const files = parseDiff(patch);
  const paths = [...new Set(files.flatMap((file) => [file.old_path, file.new_path]))].filter(
    (path) => path !== null,
  );
  if (paths.length === 0 || files.length > MAX_FILES || patch.length > MAX_PATCH) {
    return { applies: false, reason: paths.length === 0 ? 'It is not a patch.' : 'The patch is too large.' };
  }
  if (!paths.every(isRepositoryPath)) {
    return { applies: false, reason: 'It names a path outside the repository.' };
  }
  return await withTemporaryIndex(repo, (env) => tryPatch(repo, assertOid(commit), paths, patch, env));
}

/** Hash of the tree that a patch makes of a commit (a full hash); null where it does not apply. Nothing is written to the repository. */
export async function patchedTree(repo: string, commit: string, patch: string): Promise<string | null> {
  return await withTemporaryIndex(repo, async (env) => {
    const run = (args: string[], options: Partial<RunOptions> = {}) =>
      git(repo, args, { name: args[0]!, env, ...options });
    await run(['read-tree'], { revisions: [`${assertOid(commit)}^{tree}`] });
    const { exitCode } = await run(APPLY, { input: withNewline(patch), ok: [0, 1, 128] });
    return exitCode === 0 ? (await run(['write-tree'])).stdout.toString().trim() : null;
  });
}

/** Runs work with the environment of an index and objects in a temporary folder. */
async function withTemporaryIndex<T>(
  repo: string,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-patch-'));
  try {
    await mkdir(join(folder, 'objects'));
    return await work({
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_OBJECT_DIRECTORY: join(folder, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repo, 'objects'),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Counts in hunk headers are the part of a patch that is most often wrong. */
const APPLY = ['apply', '--cached', '--recount', '--whitespace=nowarn', '-'];

function withNewline(patch: string): string {
  return patch.endsWith('\n') ? patch : `${patch}\n`;
}

async function tryPatch(
  repo: string,
  commit: string,
  paths: string[],
  patch: string,
  env: Record<string, string>,
): Promise<PatchCheck> {
  const entries = await Promise.all(paths.map((path) => findEntry(repo, commit, path)));
  const index = entries.map((entry, at) =>
    entry?.type === 'blob' ? `${entry.mode} ${entry.oid}\t${paths[at]}\0` : '',
  );
  const run = (args: string[], options: Partial<RunOptions> = {}) =>
    git(repo, args, { name: args[0]!, env, ...options });
  await run(['update-index', '-z', '--index-info'], { input: index.join('') });
  const { exitCode, stderr } = await run(APPLY, { input: withNewline(patch), ok: [0, 1, 128] });
  if (exitCode !== 0) {
    return { applies: false, reason: firstError(stderr) };
  }
  const { stdout } = await run(['ls-files', '--stage', '-z']);
  const files: { path: string; content: string }[] = [];
  for (const record of stdout.toString().split('\0').slice(0, -1)) {
    const [info = '', path = ''] = [
      record.slice(0, record.indexOf('\t')),
      record.slice(record.indexOf('\t') + 1),
    ];
    const content = await run(['cat-file', 'blob'], { revisions: [info.split(' ')[1]!] });
    files.push({ path, content: content.stdout.toString() });
  }
  const diff = ['diff', '--cached', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'];
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
  const normalized = await run([...diff, ...prefixes], { revisions: [commit], paths });
  return { applies: true, files, patch: normalized.stdout.toString() };
}

function firstError(stderr: string): string {
  const line = stderr.split('\n').find((text) => text.startsWith('error: ')) ?? stderr.split('\n')[0]!;
  return line.replace(/^(?:error|fatal): /, '');
}
