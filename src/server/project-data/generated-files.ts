import { posix } from 'node:path';
import { LRUCache } from 'lru-cache';
import { listTree } from '#git/tree.ts';

/** Generated file of a repository, by the hashes of its blob and of the `.map` beside it. */
interface GeneratedFile {
  oid: string | undefined;
  mapOid: string | undefined;
}

interface GeneratedFiles {
  /** Hashes of blobs by path. */
  oids: ReadonlyMap<string, string>;
  /** Files by the paths of frames; null for frames of other files. */
  found: LRUCache<string, { file: GeneratedFile | null }>;
}

const MAX_FILES = 2_000;
const MAX_COMMITS = 50;
const MAX_PATHS = 5_000;

/** Generated files of the commits that events were looked up at: listing the tree of a large repository takes a second. */
const commits = new LRUCache<string, Promise<GeneratedFiles>>({ max: MAX_COMMITS });

interface Lookup {
  repo: string;
  /** Full hash. */
  commit: string;
  /** File of a frame, as the event names it. */
  path: string;
  signal: AbortSignal;
}

/** Finds the generated file of a frame in a repository; null where there is none. */
export async function findGeneratedFile({
  repo,
  commit,
  path,
  signal,
}: Lookup): Promise<GeneratedFile | null> {
  const key = `${repo} ${commit}`;
  const listed = commits.get(key) ?? listGeneratedFiles(repo, commit, signal);
  commits.set(key, listed);
  // A repository that cannot be read now may be later.
  const files = await listed.catch(() => commits.delete(key) && null);
  if (!files) return null;
  const known = files.found.get(path);
  if (known) return known.file;
  const found = longestSuffix(path, files.oids);
  const file = found === null ? null : { oid: files.oids.get(found), mapOid: files.oids.get(`${found}.map`) };
  files.found.set(path, { file });
  return file;
}

const GENERATED_PATH =
  /\.[cm]?js\.map$|\.min\.js$|(?:^|\/)(?:dist|build|public|assets|static|lib)\/.*\.[cm]?js$/;

/** Files of scripts and of their maps in the tree; only where there is a map or a bundle. */
async function listGeneratedFiles(
  repo: string,
  commit: string,
  signal: AbortSignal,
): Promise<GeneratedFiles> {
  const oids = new Map<string, string>();
  for await (const { path, oid, type } of listTree(repo, commit, { signal })) {
    if (path === null || type !== 'blob' || oids.size >= MAX_FILES) continue;
    if (GENERATED_PATH.test(path)) oids.set(path, oid);
  }
  return { oids, found: new LRUCache({ max: MAX_PATHS }) };
}

/** The file of the repository with the longest end in common with a path; null where not even its folder is the same. */
function longestSuffix(path: string, files: ReadonlyMap<string, string>): string | null {
  const parts = posix
    .normalize(path)
    .split('/')
    .filter((part) => part !== '' && part !== '..');
  for (let from = 0; from < parts.length; from++) {
    const end = parts.slice(from).join('/');
    const found = [...files.keys()].filter((file) => file === end || file.endsWith(`/${end}`));
    const own = found.filter((file) => !file.endsWith('.map'));
    if (own.length === 1) return own[0]!;
    const mapped = files.has(`${end}.map`) || [...files.keys()].find((file) => file.endsWith(`/${end}.map`));
    if (own.length === 0 && mapped) return mapped === true ? end : mapped.slice(0, -'.map'.length);
    if (own.length > 1) return null;
  }
  return null;
}
