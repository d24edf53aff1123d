import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { MAX_SOURCE_MAP_BYTES, releaseRoutes } from '#contract/releases.ts';
import { usageError } from './arguments.ts';
import { type Remote, uploadBytes } from './remote.ts';

/** Options of `sourcemaps`. */
export const SOURCE_MAP_OPTIONS = ['release', 'url_prefix'];

/** Maps below one folder; a build has far fewer. */
const MAX_MAPS = 5_000;
const MB = 2 ** 20;

interface Upload {
  folder: string;
  release: string | null;
  /** Begins the path under which the files are served, such as `assets/`. */
  urlPrefix: string;
}

/** Uploads the source maps below a folder, each named by release and path, and by its debug id where it has one. */
export async function uploadSourceMaps(
  remote: Remote,
  projectId: string,
  { folder, release, urlPrefix }: Upload,
  { tell, signal }: { tell(text: string): void; signal: AbortSignal },
): Promise<number> {
  const files = await findSourceMaps(folder);
  if (files.length === 0) throw usageError('usage_no_source_maps', { folder });
  for (const file of files) {
    const { size } = await stat(file);
    if (size > MAX_SOURCE_MAP_BYTES)
      throw usageError('usage_source_map_too_large', { file, limit: MAX_SOURCE_MAP_BYTES / MB });
    const content = await readFile(file);
    const name = relative(folder, file)
      .replaceAll(sep, '/')
      .replace(/\.map$/, '');
    const path = urlPrefix + name;
    const debugId = readDebugId(content);
    if (release === null && debugId === null) throw usageError('usage_no_release', { file });
    const query = {
      ...(release !== null && { release, path }),
      ...(debugId !== null && { debug_id: debugId }),
    };
    const body = {
      path: `/projects/${projectId}/source-maps`,
      query,
      type: 'application/octet-stream',
      body: content,
    };
    await uploadBytes(remote, releaseRoutes.uploadSourceMap, body, signal);
    tell(`${path} (${Math.ceil(size / 1024)} KB)`);
  }
  return files.length;
}

/** Maps below a folder, without following links. */
async function findSourceMaps(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause) => {
    throw usageError('usage_no_source_maps', { folder, cause: String(cause) });
  });
  return entries
    .filter((entry) => entry.isFile() && /\.[cm]?js\.map$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .sort()
    .slice(0, MAX_MAPS);
}

/** The debug id of a map, which bundlers write at its beginning or end. */
function readDebugId(content: Buffer): string | null {
  const ends = `${content.toString('latin1', 0, 4_096)} ${content.toString('latin1', Math.max(0, content.length - 4_096))}`;
  return /"debug_?[iI]d"\s*:\s*"([0-9a-fA-F-]{32,36})"/.exec(ends)?.[1] ?? null;
}
