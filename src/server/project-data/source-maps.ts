import { join, posix } from 'node:path';
import { openBlobReader } from '#git/blobs.ts';
import { listTree } from '#git/tree.ts';
import { applyPositions, generatedFrames } from '#intake/apply-source-map.ts';
import type { ErrorEvent, EventFrame } from '#intake/error-event.ts';
import {
  createSourceMapReader,
  type MappedPosition,
  type SourceMapReader,
} from '#intake/source-map-thread.ts';
import type { Deps } from '../deps.ts';
import { projectStorage } from './storage.ts';

type SourceMapDeps = Pick<Deps, 'db' | 'config'>;

interface StoredEvent {
  id: string;
  event: ErrorEvent;
}

/** File of an uploaded map. */
export function sourceMapFile(dataDir: string, projectId: string, id: string): string {
  return join(sourceMapFolder(dataDir, projectId), `${id}.map.gz`);
}

/** Folder of the uploaded maps of a project. */
export function sourceMapFolder(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, 'source-maps');
}

let reader: SourceMapReader | null = null;

/** The reader of this process: one thread, whatever reads maps. */
export function sharedSourceMapReader(): SourceMapReader {
  reader ??= createSourceMapReader();
  return reader;
}

/** Shows the frames of generated files at their places in the sources, where a map is known. */
export async function applySourceMaps<T extends StoredEvent>(
  deps: SourceMapDeps,
  projectId: string,
  events: T[],
  signal: AbortSignal,
): Promise<(T & { isMapped: boolean })[]> {
  const withFrames = events.map((one) => ({ ...one, files: generatedFrames(one.event) }));
  if (withFrames.every(({ files }) => files.size === 0))
    return events.map((one) => ({ ...one, isMapped: false }));
  const maps = await createMapFinder(deps, projectId, signal);
  try {
    const mapped = [];
    for (const { files, ...one } of withFrames) {
      const positions = new Map<EventFrame, MappedPosition>();
      for (const [path, frames] of files) {
        const map = await maps.find(one.event, path);
        if (map === null) continue;
        const found = await sharedSourceMapReader().read({
          map,
          positions: frames.map(({ line, column }) => ({ line, column })),
        });
        for (const [index, { frame }] of frames.entries()) {
          const position = found.positions[index];
          if (position) positions.set(frame, position);
        }
      }
      const event = applyPositions(one.event, positions);
      mapped.push({ ...(one as unknown as T), event: event ?? one.event, isMapped: event !== null });
    }
    return mapped;
  } finally {
    maps.close();
  }
}

const MAX_MAPS = 5_000;
const MAX_REPOSITORY_MAPS = 2_000;
const MAX_REPOSITORY_MAP_BYTES = 16 * 2 ** 20;

/** Finds maps by debug id, by release and path, and in the repository: beside a generated file or in it. */
async function createMapFinder({ db, config }: SourceMapDeps, projectId: string, signal: AbortSignal) {
  const [uploaded, project] = await Promise.all([
    db
      .selectFrom('source_maps')
      .select(['id', 'release', 'path', 'debug_id'])
      .where('project_id', '=', projectId)
      .orderBy('created_at', 'desc')
      .limit(MAX_MAPS)
      .execute(),
    db.selectFrom('projects').select('indexed_commit').where('id', '=', projectId).executeTakeFirst(),
  ]);
  const { repo } = projectStorage(config.dataDir, projectId);
  const commit = project?.indexed_commit ?? null;
  const blobs = openBlobReader(repo, { signal });
  let tree: Promise<Map<string, string>> | null = null;
  const inRepository = new Map<string, Promise<Uint8Array | null>>();

  const findUploaded = (event: ErrorEvent, path: string): string | null => {
    const image = event.debugImages.find(
      ({ codeFile }) => codeFile !== undefined && endsWithPath(codeFile, path),
    );
    const debugId = image?.debugId.replaceAll('-', '').toLowerCase();
    const found =
      uploaded.find(({ debug_id }) => debug_id !== null && debug_id === debugId) ??
      uploaded
        .filter((map) => map.path !== null && map.release !== null && map.release === event.release)
        .filter((map) => endsWithPath(path, map.path!) || endsWithPath(map.path!, path))
        .sort((a, b) => b.path!.length - a.path!.length)[0];
    return found ? sourceMapFile(config.dataDir, projectId, found.id) : null;
  };

  const readBlob = async (oid: string | undefined): Promise<Buffer | null> => {
    if (oid === undefined) return null;
    const blob = await blobs.read(oid, MAX_REPOSITORY_MAP_BYTES);
    return blob && 'content' in blob ? blob.content : null;
  };

  const findInRepository = async (path: string): Promise<Uint8Array | null> => {
    if (commit === null) return null;
    tree ??= listGeneratedFiles(repo, commit, signal).catch(() => new Map<string, string>());
    const files = await tree;
    const file = longestSuffix(path, files);
    if (file === null) return null;
    const map = await readBlob(files.get(`${file}.map`));
    if (map) return map;
    const content = (await readBlob(files.get(file)))?.toString('utf8') ?? '';
    const [, data] =
      /\/\/[#@] sourceMappingURL=data:application\/json[^,\n]{0,60};base64,([\w+/=]+)\s*$/.exec(
        content.slice(content.lastIndexOf('\n//')),
      ) ?? [];
    return data === undefined ? null : Buffer.from(data, 'base64');
  };

  return {
    async find(event: ErrorEvent, path: string): Promise<string | Uint8Array | null> {
      const file = findUploaded(event, path);
      if (file !== null) return file;
      const known = inRepository.get(path) ?? findInRepository(path);
      inRepository.set(path, known);
      return await known;
    },
    close: () => blobs.close(),
  };
}

const GENERATED_PATH =
  /\.[cm]?js\.map$|\.min\.js$|(?:^|\/)(?:dist|build|public|assets|static|lib)\/.*\.[cm]?js$/;

/** Files of scripts and of their maps in the tree, with the hashes of their blobs; only where there is a map or a bundle. */
async function listGeneratedFiles(
  repo: string,
  commit: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, oid, type } of listTree(repo, commit, { signal })) {
    if (path === null || type !== 'blob' || files.size >= MAX_REPOSITORY_MAPS) continue;
    if (GENERATED_PATH.test(path)) files.set(path, oid);
  }
  return files;
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

/** True when a path or URL ends with another path at a slash. */
function endsWithPath(path: string, end: string): boolean {
  const [whole, part] = [path, end].map((one) =>
    one.replace(/^[a-z]+:\/\/[^/]*|^~/i, '').replace(/^\/+/, ''),
  );
  return whole === part || whole!.endsWith(`/${part}`);
}
