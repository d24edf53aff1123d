import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { type Release, releaseRoutes } from '#contract/releases.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { listKnownReleases } from '../project-data/release-order.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { countErrorsByRelease, deleteRelease, presentRelease, saveRelease } from './queries.ts';
import { registerSourceMaps } from './source-map-routes.ts';

/** Registers the `releases` routes: releases of a project and the source maps of their files. */
export function registerReleases(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  registerSourceMaps(app, deps);

  serve(app, releaseRoutes.list, async ({ caller, params, query }) => {
    const { id } = await projectAccess(deps, caller, params.id, 'viewer');
    const known = await listKnownReleases(deps, id);
    const q = query.q?.trim().toLowerCase() ?? '';
    const found = known.filter(({ version }) => version.toLowerCase().includes(q)).slice(0, query.limit);
    const counts = await countErrorsByRelease(
      db,
      id,
      found.map(({ version }) => version),
    );
    const releases: Release[] = found.map((release) => {
      const at = known.indexOf(release);
      const previous =
        release.commit === null ? null : known.slice(at + 1).find(({ commit }) => commit !== null);
      return presentRelease(release, { previous: previous?.version ?? null, ...counts.get(release.version) });
    });
    return { releases };
  });

  serve(app, releaseRoutes.create, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    const { version } = body;
    const { commit, isDraft } = await resolveRevision(deps, {
      project,
      userId: caller.userId,
      name: body.commit,
    });
    // A release is for all members, so that it cannot be of a commit that only one of them may see.
    if (isDraft) throw new AppError('bad_request', 'release_of_draft', { reason: 'release_of_draft' });
    await saveRelease(db, { projectId: project.id, version, commit, userId: caller.userId });
    const detail = { project: project.name, release: version };
    await recordAuditEvent(db, {
      userId: caller.userId,
      event: 'release_created',
      ...clientInfo(request),
      detail,
    });
    const known = await listKnownReleases(deps, project.id, { withTags: false });
    const counts = await countErrorsByRelease(db, project.id, [version]);
    const release = known.find((one) => one.version === version)!;
    return presentRelease(release, { previous: null, ...counts.get(version) });
  });

  serve(app, releaseRoutes.remove, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor', { evenIfReadOnly: true });
    const version = await deleteRelease(db, project.id, params.release);
    const detail = { project: project.name, release: version };
    await recordAuditEvent(db, {
      userId: caller.userId,
      event: 'release_deleted',
      ...clientInfo(request),
      detail,
    });
    return { ok: true as const };
  });
}
