import { z } from 'zod';
import { id, MAX_LIST, MAX_PAGE, okReply, queryInt, revision, timestamp } from './common.ts';
import { route } from './route.ts';

/** Name of a release as SDKs send it: `shop@1.4.0`, `v1.4.0` or a hash. */
export const releaseName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]+$/u, 'release_format');

const release = z.object({
  /** Null for a tag and for a release that only events name; those cannot be deleted. */
  id: z.string().nullable(),
  version: z.string(),
  /** Full hash; null where neither a call, a tag nor its own name tells the commit. */
  commit: z.string().nullable(),
  /** Origin of the commit; null without one. */
  source: z.enum(['created', 'tag', 'name']).nullable(),
  /** Time of the commit, else of the first event. */
  timestamp: timestamp.nullable(),
  /** Release before it in the history; null for the first and where it is not known. */
  previous: z.string().nullable(),
  /** Errors with events of it; those of them that are new in it, and solved ones that came back in it. */
  errors: z.number(),
  new_errors: z.number(),
  regressed_errors: z.number(),
});
export type Release = z.infer<typeof release>;

/** Bytes of one uploaded source map. */
export const MAX_SOURCE_MAP_BYTES = 32 * 2 ** 20;

const sourceMap = z.object({
  id: z.string(),
  release: z.string().nullable(),
  /** Generated file as the frames name it: `assets/app.js`; null for a map that only its debug id names. */
  path: z.string().nullable(),
  debug_id: z.string().nullable(),
  size: z.number(),
  created_at: timestamp,
});
export type SourceMapRow = z.infer<typeof sourceMap>;

export const releaseRoutes = {
  list: route({
    method: 'GET',
    path: '/projects/:id/releases',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List releases, newest first: created ones, tags, and those that events name',
    params: z.object({ id }),
    query: z.object({
      /** Part of the name. */
      q: z.string().max(200).optional(),
      limit: queryInt({ min: 1, max: MAX_PAGE, default: 50 }),
    }),
    reply: z.object({ releases: z.array(release).max(MAX_PAGE) }),
  }),
  create: route({
    method: 'POST',
    path: '/projects/:id/releases',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Create a release of a commit; replaces the commit of a release with this name',
    params: z.object({ id }),
    body: z.object({ version: releaseName, commit: revision }),
    reply: release,
    status: 201,
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/releases/:release',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete a release that was created; its events and source maps stay',
    params: z.object({ id, release: id }),
    reply: okReply,
  }),
  sourceMaps: route({
    method: 'GET',
    path: '/projects/:id/source-maps',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List uploaded source maps, newest first',
    params: z.object({ id }),
    query: z.object({ release: releaseName.optional() }),
    reply: z.object({
      source_maps: z.array(sourceMap).max(MAX_LIST),
      /** Bytes of all source maps of the project, and how many it may have. */
      used: z.number(),
      limit: z.number(),
    }),
  }),
  uploadSourceMap: route({
    method: 'POST',
    path: '/projects/:id/source-maps',
    kind: 'raw',
    apiKey: 'write',
    projectFrom: 'path',
    bodyLimit: MAX_SOURCE_MAP_BYTES,
    summary: 'Upload a source map; replaces the one of the same release and path, or debug id',
    description: 'The body is the map. Named by a release and a path, by a debug id, or by both.',
    params: z.object({ id }),
    query: z.object({
      release: releaseName.optional(),
      path: z.string().min(1).max(1024).optional(),
      debug_id: z
        .string()
        .regex(/^[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}$/, 'debug_id_format')
        .optional(),
    }),
    reply: sourceMap,
    status: 201,
  }),
  removeSourceMaps: route({
    method: 'DELETE',
    path: '/projects/:id/source-maps',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete one source map, those of a release, or all',
    params: z.object({ id }),
    query: z.object({ source_map: id.optional(), release: releaseName.optional() }),
    reply: z.object({ deleted: z.number() }),
  }),
};
