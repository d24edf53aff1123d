import type { FastifyInstance } from 'fastify';
import { credentialRoutes } from '#contract/credentials.ts';
import { AppError } from '#contract/errors.ts';
import type { Project } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import { parseRemote } from '#egress/remote-url.ts';
import { withRemote } from '#git/remote.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { recordTransfers } from '../llm/egress-record.ts';
import {
  decryptCredential,
  findCredential,
  hostKeyFingerprints,
  parseCredential,
  pinHostKeys,
  presentCredential,
  saveCredential,
} from '../project-data/credentials.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { findProjectRow, isFullyIndexed, type ProjectRow, presentProject, updateProject } from './queries.ts';

/** Shorter than for jobs, since a user waits for the result. */
export const CONNECTION_TEST_TIMEOUT_S = 40;

/**
 * Serves credentials of private repositories. Only owners see or change them; their secrets are never returned.
 */
export function registerCredentials(app: FastifyInstance, deps: Deps): void {
  serve(app, credentialRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    const row = await findCredential(deps.db, project);
    return { credential: row && presentCredential(row) };
  });

  serve(app, credentialRoutes.save, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const remote = parseRemote(project.git_url, { ssh: true });
    const credential = parseCredential(remote, body)!;
    const row = await saveCredential(deps, { project, userId: caller.userId, credential });
    const detail = { project: project.name, kind: row.kind, host: row.host };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'credential_saved',
      detail,
      ...clientInfo(request),
    });
    return { credential: presentCredential(row) };
  });

  serve(app, credentialRoutes.remove, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    await deps.db.deleteFrom('credentials').where('project_id', '=', project.id).execute();
    const detail = { project: project.name };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'credential_removed',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });

  serve(app, credentialRoutes.test, async ({ caller, params, request, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await consume(deps, `credential-test:${caller.userId}`, deps.config.limits.credentialTestsPerUser);
    const { git } = deps.config;
    const options = {
      url: project.git_url,
      egress: deps.egress,
      limits: { ...git, timeoutS: Math.min(git.timeoutS, CONNECTION_TEST_TIMEOUT_S) },
      credential: await decryptCredential(deps, project),
      onHostKeys: async (lines: string) => {
        await pinHostKeys(deps.db, project.id, lines);
        const detail = { project: project.name, host: parseRemote(project.git_url, { ssh: true }).host };
        await recordAuditEvent(deps.db, {
          userId: caller.userId,
          event: 'host_key_pinned',
          detail,
          ...clientInfo(request),
        });
      },
      onTransfer: recordTransfers(deps, project.id),
    };
    const slot = {
      userId: caller.userId,
      deadlineMs: 2 * CONNECTION_TEST_TIMEOUT_S * 1000,
      signal: abortOnDisconnect(reply),
    };
    const { branch, head } = await deps.queues.gitRemotes.run(slot, (signal) =>
      withRemote({ ...options, signal }, (remote) => remote.readHead()),
    );
    const row = await findCredential(deps.db, project);
    return { branch, commit: head, host_keys: row ? hostKeyFingerprints(row) : [] };
  });
}

/**
 * Marks a project whose key was just generated: nothing is fetched before the public key is installed on the git
 * server.
 */
export async function markAwaitingKey(deps: Pick<Deps, 'db'>, project: ProjectRow): Promise<Project> {
  const failure = createSentence('errors.ssh_key_not_added');
  // A published index keeps serving.
  const status = isFullyIndexed(project) ? 'ready' : 'failed';
  await updateProject(deps.db, project.id, { status, activity: null, failure });
  const row = await findProjectRow(deps.db, project.id);
  if (row === null) throw new AppError('not_found', 'project_not_found');
  return presentProject(row, 'owner');
}
