import { join } from 'node:path';
import { openBlobReader } from '#git/blobs.ts';
import { applyPositions, generatedFrames } from '#intake/apply-source-map.ts';
import type { ErrorEvent, EventFrame } from '#intake/error-event.ts';
import {
  createSourceMapReader,
  type MappedPosition,
  type SourceMapReader,
  type SourceMapTask,
} from '#intake/source-map-thread.ts';
import type { Deps } from '../deps.ts';
import { findGeneratedFile } from './generated-files.ts';
import { projectStorage } from './storage.ts';

type SourceMapDeps = Pick<Deps, 'db' | 'config' | 'projectFiles'>;

interface StoredEvent {
  id: string;
  event: ErrorEvent;
}

/** Path of an uploaded map below the folder of its project. */
export function sourceMapPath(id: string): string {
  return `source-maps/${id}.map.gz`;
}

/** File of an uploaded map. */
export function sourceMapFile(dataDir: string, projectId: string, id: string): string {
  return join(projectStorage(dataDir, projectId).root, sourceMapPath(id));
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
          ...map,
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

/** A map with the name under which it stays parsed. */
type FoundMap = Required<Pick<SourceMapTask, 'map' | 'key'>>;

const MAX_MAPS = 5_000;
const MAX_REPOSITORY_MAP_BYTES = 16 * 2 ** 20;

/** Finds maps by debug id, by release and path, and in the repository: beside a generated file or in it. */
async function createMapFinder(
  { db, config, projectFiles }: SourceMapDeps,
  projectId: string,
  signal: AbortSignal,
) {
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
  const repo = await projectFiles.repositories.open(projectId);
  const commit = project?.indexed_commit ?? null;
  const blobs = openBlobReader(repo, { signal });
  const findUploaded = createUploadedFinder(uploaded);
  const contents = new Map<string, Promise<FoundMap | null>>();

  const readBlob = async (oid: string): Promise<Buffer | null> => {
    const blob = await blobs.read(oid, MAX_REPOSITORY_MAP_BYTES);
    return blob && 'content' in blob ? blob.content : null;
  };

  const findInRepository = async (path: string): Promise<FoundMap | null> => {
    const file = commit && (await findGeneratedFile({ repo, commit, path, signal }));
    if (!file) return null;
    const { oid, mapOid } = file;
    const map = mapOid && (await readBlob(mapOid));
    if (map) return { map, key: mapOid };
    if (oid === undefined) return null;
    const content = (await readBlob(oid))?.toString('utf8') ?? '';
    const [, data] =
      /\/\/[#@] sourceMappingURL=data:application\/json[^,\n]{0,60};base64,([\w+/=]+)\s*$/.exec(
        content.slice(content.lastIndexOf('\n//')),
      ) ?? [];
    return data === undefined ? null : { map: Buffer.from(data, 'base64'), key: oid };
  };

  return {
    async find(event: ErrorEvent, path: string): Promise<FoundMap | null> {
      const id = findUploaded(event, path);
      if (id !== null) {
        await projectFiles.fetch(projectId, sourceMapPath(id));
        return { map: sourceMapFile(config.dataDir, projectId, id), key: id };
      }
      const known = contents.get(path) ?? findInRepository(path);
      contents.set(path, known);
      return await known;
    },
    close: () => blobs.close(),
  };
}

interface UploadedMap {
  id: string;
  release: string | null;
  path: string | null;
  debug_id: string | null;
}

/** Returns a function that finds the id of an uploaded map; events of one release look up a path once. */
function createUploadedFinder(uploaded: UploadedMap[]): (event: ErrorEvent, path: string) => string | null {
  const byDebugId = new Map(uploaded.toReversed().map(({ id, debug_id }) => [debug_id, id]));
  const byRelease = Map.groupBy(uploaded, ({ release }) => release);
  const byPath = new Map<string, string | null>();
  const findByPath = (release: string, path: string) => {
    const found = (byRelease.get(release) ?? [])
      .filter((map) => map.path !== null)
      .filter((map) => endsWithPath(path, map.path!) || endsWithPath(map.path!, path))
      .sort((a, b) => b.path!.length - a.path!.length);
    return found[0]?.id ?? null;
  };
  return ({ debugImages, release }, path) => {
    const image = debugImages.find(({ codeFile }) => codeFile !== undefined && endsWithPath(codeFile, path));
    const found = image && byDebugId.get(image.debugId.replaceAll('-', '').toLowerCase());
    if (found !== undefined || release === undefined) return found ?? null;
    const key = JSON.stringify([release, path]);
    if (!byPath.has(key)) byPath.set(key, findByPath(release, path));
    return byPath.get(key)!;
  };
}

/** True when a path or URL ends with another path at a slash. */
function endsWithPath(path: string, end: string): boolean {
  const [whole, part] = [path, end].map((one) =>
    one.replace(/^[a-z]+:\/\/[^/]*|^~/i, '').replace(/^\/+/, ''),
  );
  return whole === part || whole!.endsWith(`/${part}`);
}
