import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type Kysely, type Selectable, sql } from 'kysely';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import { MAX_SOURCE_MAP_BYTES, releaseRoutes, type SourceMapRow } from '#contract/releases.ts';
import type { SourceMapsTable } from '#db/debug-tables.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { sharedSourceMapReader, sourceMapFile, sourceMapPath } from '../project-data/source-maps.ts';

const compress = promisify(gzip);
/** Compressed source maps of one project. */
const MAX_PROJECT_BYTES = 512 * 2 ** 20;
const MAX_PROJECT_MAPS = 5_000;
const MB = 2 ** 20;

/** Registers the routes of uploaded source maps. */
export function registerSourceMaps(app: FastifyInstance, deps: Deps): void {
  const { db, config, projectFiles } = deps;
  const removeFiles = async (projectId: string, ids: string[]) => {
    await projectFiles.withdraw(projectId, ids.map(sourceMapPath));
    for (const id of ids) await rm(sourceMapFile(config.dataDir, projectId, id), { force: true });
  };

  serve(app, releaseRoutes.sourceMaps, async ({ caller, params, query }) => {
    const { id } = await projectAccess(deps, caller, params.id, 'viewer');
    let maps = db.selectFrom('source_maps').selectAll().where('project_id', '=', id);
    if (query.release !== undefined) maps = maps.where('release', '=', query.release);
    const rows = await maps.orderBy('created_at', 'desc').limit(MAX_LIST).execute();
    return {
      source_maps: rows.map(presentSourceMap),
      used: await usedBytes(db, id),
      limit: MAX_PROJECT_BYTES,
    };
  });

  serve(
    app,
    releaseRoutes.uploadSourceMap,
    async ({ caller, params, query, request }) => {
      const project = await projectAccess(deps, caller, params.id, 'editor');
      const { release = null, path = null } = query;
      const debugId = query.debug_id?.replaceAll('-', '').toLowerCase() ?? null;
      if (debugId === null && (release === null || path === null))
        throw new AppError('bad_request', 'source_map_unnamed');
      const content = request.body as Buffer;
      if (content.length > MAX_SOURCE_MAP_BYTES)
        throw new AppError('too_large', 'source_map_too_large', {
          params: { limit: MAX_SOURCE_MAP_BYTES / MB },
        });
      const { problem } = await sharedSourceMapReader().read({ map: content, positions: [] });
      if (problem !== null) throw new AppError('bad_request', 'source_map_invalid', { params: { problem } });
      const stored = await compress(content);
      const row = {
        ...{ project_id: project.id, id: newId(), release, path, debug_id: debugId, size: content.length },
        ...{ stored_bytes: stored.length, created_by: caller.userId },
      };
      const file = sourceMapFile(config.dataDir, project.id, row.id);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(`${file}.tmp`, stored, { mode: 0o600 });
      await rename(`${file}.tmp`, file);
      try {
        await projectFiles.publish(project.id, sourceMapPath(row.id));
        const { saved, replaced, isFirst } = await insertSourceMap(db, row);
        await removeFiles(project.id, replaced);
        // A build has hundreds of maps, which are one event.
        if (isFirst) {
          const detail = { project: project.name, release: release ?? debugId ?? '' };
          const entry = { userId: caller.userId, event: 'source_maps_uploaded', detail } as const;
          await recordAuditEvent(db, { ...entry, ...clientInfo(request) });
        }
        return presentSourceMap(saved);
      } catch (error) {
        await removeFiles(project.id, [row.id]);
        throw error;
      }
    },
    // Before the body is read, so that only editors send one.
    {
      onRequest: async (request) => {
        await projectAccess(deps, request.caller!, (request.params as { id: string }).id, 'editor');
      },
    },
  );

  serve(app, releaseRoutes.removeSourceMaps, async ({ caller, params, query, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor', { evenIfReadOnly: true });
    let maps = db.deleteFrom('source_maps').where('project_id', '=', project.id);
    if (query.source_map !== undefined) maps = maps.where('id', '=', query.source_map);
    if (query.release !== undefined) maps = maps.where('release', '=', query.release);
    const deleted = await maps.returning('id').execute();
    await removeFiles(
      project.id,
      deleted.map(({ id }) => id),
    );
    const detail = { project: project.name, maps: String(deleted.length) };
    await recordAuditEvent(db, {
      userId: caller.userId,
      event: 'source_maps_deleted',
      ...clientInfo(request),
      detail,
    });
    return { deleted: deleted.length };
  });
}

type Row = Selectable<SourceMapsTable>;

/** Inserts a map in place of those with the same name. Throws `too_large` when the project has no room for it. */
async function insertSourceMap(
  db: Kysely<Database>,
  row: Omit<Row, 'created_at'>,
): Promise<{
  saved: Row;
  replaced: string[];
  /** True when no map of the release was uploaded in the hour before. */
  isFirst: boolean;
}> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`source-maps:${row.project_id}`}, 0))`.execute(
      trx,
    );
    const recent = await trx
      .selectFrom('source_maps')
      .select('id')
      .where('project_id', '=', row.project_id)
      .where('release', 'is not distinct from', row.release)
      .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
      .limit(1)
      .executeTakeFirst();
    const replaced = await trx
      .deleteFrom('source_maps')
      .where('project_id', '=', row.project_id)
      .where((eb) =>
        eb.or([
          ...(row.debug_id === null ? [] : [eb('debug_id', '=', row.debug_id)]),
          ...(row.release === null || row.path === null
            ? []
            : [eb.and([eb('release', '=', row.release), eb('path', '=', row.path)])]),
        ]),
      )
      .returning('id')
      .execute();
    const { count } = await trx
      .selectFrom('source_maps')
      .where('project_id', '=', row.project_id)
      .select((select) => select.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    const isFull = (await usedBytes(trx, row.project_id)) + row.stored_bytes > MAX_PROJECT_BYTES;
    if (isFull || Number(count) >= MAX_PROJECT_MAPS)
      throw new AppError('too_large', 'source_map_space_used', { params: { limit: MAX_PROJECT_BYTES / MB } });
    const saved = await trx.insertInto('source_maps').values(row).returningAll().executeTakeFirstOrThrow();
    return { saved, replaced: replaced.map(({ id }) => id), isFirst: recent === undefined };
  });
}

async function usedBytes(db: Kysely<Database>, projectId: string): Promise<number> {
  const { used } = await db
    .selectFrom('source_maps')
    .where('project_id', '=', projectId)
    .select((select) => select.fn.sum<string | null>('stored_bytes').as('used'))
    .executeTakeFirstOrThrow();
  return Number(used ?? 0);
}

function presentSourceMap({
  project_id: _,
  created_by: __,
  stored_bytes: ___,
  created_at,
  ...row
}: Row): SourceMapRow {
  return { ...row, created_at: created_at.toISOString() };
}
