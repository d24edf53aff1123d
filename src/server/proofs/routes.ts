import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { proofRoutes } from '#contract/proofs.ts';
import { assertWritablePath } from '#git/writable-path.ts';
import { formatBisectScript } from '#proof/bisect-script.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { type AccessibleProject, type Caller, projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { readLanguage } from '../identity/reader-preferences.ts';
import { findSession } from '../project-data/debug-sessions.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { announceProof } from './announce-proof.ts';
import { requireSandbox } from './open-runner.ts';
import { resolvePatch } from './patch-text.ts';
import { findOldestCommit, planProof, requireBadEnd } from './plan-proof.ts';
import { presentProof } from './present-proof.ts';
import { requestProof } from './proof-tasks.ts';
import { LOG_RETENTION_DAYS } from './proof-upkeep-tasks.ts';
import { findProof, findRunLog, insertProof, listSessionProofs, updateProof } from './queries.ts';
import { saveUploadedLog } from './upload-log.ts';

type StartBody = z.output<(typeof proofRoutes.start)['body']>;

/** Registers the `proofs` routes: starting, following and cancelling proofs, and logs of bisections on other machines. */
export function registerProofs(app: FastifyInstance, deps: Deps): void {
  registerProofReads(app, deps);

  serve(app, proofRoutes.start, async ({ caller, params, body, request }) => {
    const { session, project } = await editableSession(deps, caller, params.id);
    if (!project.may_run) throw new AppError('conflict', 'run_not_allowed', { reason: 'run_not_allowed' });
    const prepared = await prepareRequest(deps, project, caller, body);
    await requireSandbox(deps);
    const id = await insertProof(deps.db, {
      ...{ project_id: project.id, session_id: session.id, user_id: caller.userId, kind: body.kind },
      draft: session.draft || prepared.isDraft,
      request: prepared.request,
    });
    const detail = { project: project.name, command: body.command };
    const entry = { userId: caller.userId, event: 'proof_started', ...clientInfo(request) } as const;
    await recordAuditEvent(deps.db, { ...entry, detail });
    await requestProof(deps, id, caller.userId);
    announceProof(deps, await findProof(deps.db, caller.userId, id), 'queued');
    return { id };
  });

  serve(app, proofRoutes.upload, async ({ caller, params, body, request }) => {
    const { session, project } = await editableSession(deps, caller, params.id);
    const upload = { ...body, sessionId: session.id, userId: caller.userId, draft: session.draft };
    const id = await saveUploadedLog(deps, project, upload);
    const entry = { userId: caller.userId, event: 'proof_uploaded', ...clientInfo(request) } as const;
    await recordAuditEvent(deps.db, { ...entry, detail: { project: project.name } });
    announceProof(deps, await findProof(deps.db, caller.userId, id), 'done');
    return { id };
  });

  serve(app, proofRoutes.cancel, async ({ caller, params, request }) => {
    const proof = await findProof(deps.db, caller.userId, params.id);
    const isOwn = proof.user_id === caller.userId;
    const project = await projectAccess(deps, caller, proof.project_id, isOwn ? 'editor' : 'owner', {
      evenIfReadOnly: true,
    });
    if (!(await updateProof(deps.db, proof, { state: 'cancelled' })))
      throw new AppError('conflict', 'proof_ended', { reason: 'ended' });
    deps.events.emit({ type: 'proof-cancelled', proofId: proof.id });
    announceProof(deps, proof, 'cancelled');
    const entry = { userId: caller.userId, event: 'proof_cancelled', ...clientInfo(request) } as const;
    await recordAuditEvent(deps.db, { ...entry, detail: { project: project.name } });
    return { ok: true as const };
  });
}

function registerProofReads(app: FastifyInstance, deps: Deps): void {
  serve(app, proofRoutes.list, async ({ caller, params }) => {
    const session = await findSession(deps.db, caller.userId, params.id);
    return { proofs: await listSessionProofs(deps.db, caller.userId, session.id) };
  });

  serve(app, proofRoutes.plan, async ({ caller, params, request }) => {
    const { session, project } = await editableSession(deps, caller, params.id);
    return await planProof(deps, {
      project,
      session,
      userId: caller.userId,
      language: readLanguage(request),
    });
  });

  serve(app, proofRoutes.script, async ({ caller, params, body }) => {
    const { session, project } = await editableSession(deps, caller, params.id);
    const { good, bad } = await resolveEnds(deps, project, caller, body);
    const repo = await deps.projectFiles.repositories.open(project.id);
    const oldest = good ?? (await findOldestCommit(repo, bad.commit));
    const suspects = (session.answer.suspect_commits ?? []).map(({ hash }) => hash);
    const ends = { good: oldest, bad: bad.commit };
    const script = formatBisectScript({
      ...ends,
      command: body.command,
      setup: body.setup ?? null,
      suspects,
    });
    if (script === null)
      throw new AppError('invalid_input', 'command_one_line', { fields: { command: 'command_one_line' } });
    return { script };
  });

  serve(app, proofRoutes.get, async ({ caller, params, request }) => {
    const proof = await findProof(deps.db, caller.userId, params.id);
    const { role } = await projectAccess(deps, caller, proof.project_id, 'viewer');
    const reader = { language: readLanguage(request), userId: caller.userId, isOwner: role === 'owner' };
    return await presentProof(deps.db, proof, reader);
  });

  serve(app, proofRoutes.log, async ({ caller, params }) => {
    const proof = await findProof(deps.db, caller.userId, params.id);
    const run = await findRunLog(deps.db, proof, Number(params.number));
    if (run === null) throw new AppError('not_found', 'proof_not_found');
    if (run.log === null) {
      throw new AppError('not_found', 'proof_log_deleted', { params: { days: LOG_RETENTION_DAYS } });
    }
    return { text: run.log, is_truncated: run.log_truncated };
  });
}

/** A session of a project that the caller may edit. */
async function editableSession(deps: Deps, caller: Caller, id: string) {
  const session = await findSession(deps.db, caller.userId, id);
  return { session, project: await projectAccess(deps, caller, session.project_id, 'editor') };
}

type Ends = Pick<StartBody, 'good' | 'bad'>;

/** Full hashes of the ends, of which drafts are the caller's own. */
async function resolveEnds(deps: Deps, project: AccessibleProject, { userId }: Caller, ends: Ends) {
  const find = (name: string) => resolveRevision(deps, { project, userId, name });
  const bad = ends.bad
    ? await find(ends.bad)
    : { commit: await requireBadEnd(deps, project), isDraft: false };
  const good = ends.good ? await find(ends.good) : null;
  return { bad, good: good?.commit ?? null, isDraft: bad.isDraft || (good?.isDraft ?? false) };
}

/** Resolves what a request names; its author's own branch makes it a draft. */
async function prepareRequest(deps: Deps, project: AccessibleProject, caller: Caller, body: StartBody) {
  const { kind, command, script = null } = body;
  if (script) assertWritablePath(script.path);
  const { good, bad, isDraft } = await resolveEnds(deps, project, caller, body);
  if (body.revert) await resolveRevision(deps, { project, userId: caller.userId, name: body.revert });
  const patchRequest = { projectId: project.id, userId: caller.userId, commit: bad.commit };
  const patch =
    kind === 'verify'
      ? await readFromGit(deps, { project, userId: caller.userId }, () =>
          resolvePatch(deps, {
            ...patchRequest,
            patch: body.patch,
            revert: body.revert,
            branch: body.branch,
          }),
        )
      : null;
  const request = {
    ...{ command, good: kind === 'bisect' ? good : null, bad: bad.commit, patch, script },
    setup: body.setup ?? project.setup_command,
    check: kind === 'verify' ? (body.check ?? project.check_command) : null,
  };
  return { request, isDraft: isDraft || patch?.source === 'branch' };
}
