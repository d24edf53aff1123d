import type { FastifyInstance, FastifyRequest } from 'fastify';
import { probeModel } from '#assistant/models/probe.ts';
import { AppError } from '#contract/errors.ts';
import { ownModelRoutes } from '#contract/own-models.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { type Caller, projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { recordEgress } from '../llm/egress-record.ts';
import {
  countOwnModels,
  deleteOwnModel,
  findOwnModel,
  type ModelOwner,
  presentOwnModel,
  saveOwnModel,
  saveTestResult,
  toModelSettings,
} from '../llm/own-model.ts';
import { loadOwnModelPolicy, saveOwnModelPolicy } from '../llm/own-model-policy.ts';
import { presentProbe } from '../llm/present-probe.ts';
import { selectModel, toOwnError } from '../llm/select-model.ts';

/** Registers the `ownModels` routes: language models of people and projects, within what an administrator allows. */
export function registerOwnModels(app: FastifyInstance, deps: Deps): void {
  serve(app, ownModelRoutes.own, async ({ caller }) => await describe(deps, { userId: caller.userId }));
  serve(app, ownModelRoutes.setOwn, async (call) => {
    return await save(deps, { userId: call.caller.userId }, call);
  });
  serve(app, ownModelRoutes.removeOwn, async (call) => {
    return await remove(deps, { userId: call.caller.userId }, call);
  });
  serve(app, ownModelRoutes.testOwn, async (call) => {
    return await testModel(deps, { userId: call.caller.userId }, call);
  });

  serve(app, ownModelRoutes.project, async ({ caller, params }) => {
    return await describe(deps, await projectOwner(deps, caller, params.id, { evenIfReadOnly: true }));
  });
  serve(app, ownModelRoutes.setProject, async (call) => {
    return await save(deps, await projectOwner(deps, call.caller, call.params.id), call);
  });
  serve(app, ownModelRoutes.removeProject, async (call) => {
    const owner = await projectOwner(deps, call.caller, call.params.id, { evenIfReadOnly: true });
    return await remove(deps, owner, call);
  });
  serve(app, ownModelRoutes.testProject, async (call) => {
    return await testModel(deps, await projectOwner(deps, call.caller, call.params.id), call);
  });

  serve(app, ownModelRoutes.answering, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return { model: await selectModel(deps, { userId: caller.userId, projectId: project.id }) };
  });

  serve(app, ownModelRoutes.policy, async () => {
    return { policy: await loadOwnModelPolicy(deps.db), in_use: await countOwnModels(deps.db) };
  });
  serve(app, ownModelRoutes.setPolicy, async ({ caller, body, request }) => {
    await saveOwnModelPolicy(deps.db, body);
    const detail = { mode: body.mode, hosts: body.hosts.join(', ') };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'own_model_policy_set',
      detail,
      ...clientInfo(request),
    });
    return await loadOwnModelPolicy(deps.db);
  });
}

type OwnerOfModel = ModelOwner & { project?: string };

async function projectOwner(
  deps: Deps,
  caller: Caller,
  id: string,
  options?: { evenIfReadOnly: boolean },
): Promise<OwnerOfModel> {
  const project = await projectAccess(deps, caller, id, 'owner', options);
  return { projectId: project.id, project: project.name };
}

async function describe({ db }: Deps, owner: ModelOwner) {
  const stored = await findOwnModel(db, owner);
  return { model: stored && presentOwnModel(stored), policy: await loadOwnModelPolicy(db) };
}

interface ModelCall {
  caller: Caller;
  request: FastifyRequest;
}

async function save(
  deps: Deps,
  owner: OwnerOfModel,
  { caller, body, request }: ModelCall & { body: Parameters<typeof saveOwnModel>[2]['input'] },
) {
  await saveOwnModel(deps, owner, { input: body, userId: caller.userId });
  const state = await describe(deps, owner);
  const { provider, name, base_url } = state.model!;
  await recordAuditEvent(deps.db, {
    userId: caller.userId,
    event: 'own_model_set',
    detail: { model: `${provider}:${name}`, host: new URL(base_url).host, project: owner.project ?? '' },
    ...clientInfo(request),
  });
  return state;
}

async function remove(deps: Deps, owner: OwnerOfModel, { caller, request }: ModelCall) {
  if (await deleteOwnModel(deps.db, owner)) {
    const detail = { project: owner.project ?? '' };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'own_model_removed',
      detail,
      ...clientInfo(request),
    });
  }
  return { ok: true as const };
}

async function testModel(deps: Deps, owner: OwnerOfModel, { caller, request }: ModelCall) {
  const stored = await findOwnModel(deps.db, owner);
  if (!stored) throw new AppError('bad_request', 'model_not_set', { reason: 'model_not_configured' });
  if (stored.state !== 'usable') {
    const params = { host: new URL(stored.base_url).host };
    const key = stored.state === 'not_allowed' ? 'own_model_host_not_allowed' : 'own_model_other_owner';
    throw new AppError('conflict', key, { params, reason: key });
  }
  const projectId = 'projectId' in owner ? owner.projectId : null;
  const purpose = { purpose: 'probe' as const, projectId, userId: caller.userId };
  const onCall = recordEgress(deps, purpose, (error) => request.log.error({ err: error }, 'egress log'));
  const result = await probeModel(toModelSettings(deps, owner, stored), onCall);
  if (result.error === null) {
    const { images, context_window } = result;
    await saveTestResult(deps.db, owner, { images, context_window, at: deps.now().toISOString() });
  }
  return await presentProbe(deps.db, caller.userId, {
    ...result,
    error: result.error && toOwnError(result.error),
  });
}
