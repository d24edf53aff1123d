import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addPack,
  deletePackFiles,
  initRepository,
  listPackFiles,
  packNewObjects,
  prunePackedObjects,
} from '#git/packs.ts';
import { formatRefs, listRefs, parseRefs, updateRefs } from '#git/ref-updates.ts';
import { git } from '#git/run.ts';
import type { ObjectStore } from '#storage/object-store.ts';
import { downloadFiles, isSameFile, type StoredFile, uploadFiles } from '#storage/stored-files.ts';
import { exists } from './cached-files.ts';
import type { StoredPack } from './repository-rows.ts';

/** Refs of upstream and the branch that HEAD names, as a file of the published repository. */
const REFS_FILE = 'published-refs';
/** Files besides the packs, where there are any. */
const OTHER_FILES = ['objects/info/commit-graph', 'shallow', REFS_FILE];
const UPSTREAM_REFS = ['refs/remotes', 'refs/tags'];
const HEAD_LINE = /^# HEAD (refs\/remotes\/\S+)$/m;

/** Place of a repository, on this disk and in the store. */
export interface RepositoryPlace {
  store: ObjectStore;
  /** Folder of the keys. */
  prefix: string;
  repo: string;
  /** Folder of unfinished files, on the same disk. */
  unfinished: string;
}

/** Stores the packs and the refs of upstream; files that are stored already are not sent again. */
export async function uploadRepository(
  { store, prefix, repo }: RepositoryPlace,
  known: readonly StoredFile[],
): Promise<StoredFile[]> {
  const { stdout } = await git(repo, ['symbolic-ref', '-q', 'HEAD'], { name: 'symbolic-ref', ok: [0, 1] });
  const refs = formatRefs(await listRefs(repo, UPSTREAM_REFS));
  await writeFile(join(repo, REFS_FILE), `# HEAD ${stdout.toString().trim()}\n${refs}`);
  const others: string[] = [];
  for (const name of OTHER_FILES) if (await exists(join(repo, name))) others.push(name);
  const names = [...(await listPackFiles(repo)), ...others];
  return await uploadFiles(store, { prefix, path: repo, names, known });
}

/** Brings a repository to a published one: packs first, then the refs of upstream. Packs of `previous` that it lacks are deleted. */
export async function downloadRepository(
  { store, prefix, repo, unfinished }: RepositoryPlace,
  { files, previous }: { files: readonly StoredFile[]; previous: readonly StoredFile[] },
): Promise<void> {
  const changed: StoredFile[] = [];
  for (const file of files) if (!(await isSameFile(join(repo, file.name), file))) changed.push(file);
  await downloadFiles(store, { prefix, path: repo, files: changed, unfinished });
  const text = await readFile(join(repo, REFS_FILE), 'utf8').catch(() => '');
  await updateRefs(repo, { from: await listRefs(repo, UPSTREAM_REFS), to: parseRefs(text) });
  const head = HEAD_LINE.exec(text)?.[1];
  if (head) await git(repo, ['symbolic-ref', 'HEAD', head], { name: 'symbolic-ref' });
  const kept = new Set(files.map(({ name }) => name));
  const replaced = previous.filter(({ name }) => name.startsWith('objects/pack/') && !kept.has(name));
  if (replaced.length === 0) return;
  await deletePackFiles(
    repo,
    replaced.map(({ name }) => name),
  );
  await prunePackedObjects(repo);
}

/** Creates the empty repository that a published one is downloaded to. */
export async function createEmptyRepository(repo: string, files: readonly StoredFile[]): Promise<void> {
  await mkdir(repo, { recursive: true, mode: 0o700 });
  const isLong = files.some(({ name }) => /pack-[0-9a-f]{64}\./.test(name));
  await initRepository(repo, { format: isLong ? 'sha256' : 'sha1' });
}

/** Stores the objects of a new commit that the store lacks; null where there are none. */
export async function uploadNewObjects(
  { store, prefix, repo, unfinished }: RepositoryPlace,
  { commit, known }: { commit: string; known: readonly string[] },
): Promise<StoredPack | null> {
  const name = await packNewObjects(repo, { commit, known, folder: unfinished });
  if (name === null) return null;
  const file = `pack-${name}.pack`;
  try {
    const [stored] = await uploadFiles(store, { prefix, path: unfinished, names: [file] });
    return { name, objects: stored!.objects, bytes: stored!.bytes };
  } finally {
    await rm(join(unfinished, file), { force: true });
  }
}

/** Adds a stored pack to a repository. */
export async function downloadPack(
  { store, prefix, repo, unfinished }: RepositoryPlace,
  { name, objects, bytes }: StoredPack,
): Promise<void> {
  const file = `received-${name}.pack`;
  await downloadFiles(store, {
    prefix,
    path: unfinished,
    files: [{ name: file, objects, bytes }],
    unfinished,
  });
  await addPack(repo, join(unfinished, file), name);
}
