import type { FastifyInstance } from 'fastify';
import { probeModel } from '#assistant/models/probe.ts';
import { AppError } from '#contract/errors.ts';
import { modelRoutes } from '#contract/models.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { recordEgress } from '../llm/egress-record.ts';
import {
  deleteModel,
  describeModel,
  readModelSettings,
  saveModel,
  saveTestedTraits,
} from '../llm/language-model.ts';
import { getModelUsage, listModelUsage } from '../llm/model-budget.ts';
import { presentProbe } from '../llm/present-probe.ts';

/** Registers the `models` routes: configuration and status of the language model. */
export function registerModels(app: FastifyInstance, deps: Deps): void {
  serve(app, modelRoutes.state, async () => await describeModel(deps));

  serve(app, modelRoutes.set, async ({ caller, body, request }) => {
    await saveModel(deps, body);
    const state = await describeModel(deps);
    const detail = { model: `${state.provider}:${state.name}`, host: new URL(state.base_url ?? '').host };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'model_set',
      detail,
      ...clientInfo(request),
    });
    return state;
  });

  serve(app, modelRoutes.remove, async ({ caller, request }) => {
    await deleteModel(deps);
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'model_removed',
      ...clientInfo(request),
    });
    return { ok: true as const };
  });

  serve(app, modelRoutes.usage, async ({ caller }) => await getModelUsage(deps, caller.userId));

  serve(app, modelRoutes.users, async () => {
    return { users: await listModelUsage(deps), currency: deps.config.modelBudget.prices?.currency ?? null };
  });

  serve(app, modelRoutes.probe, async ({ caller, request }) => {
    const settings = await readModelSettings(deps);
    if (!settings) throw new AppError('bad_request', 'model_not_set', { reason: 'model_not_configured' });
    const purpose = { purpose: 'probe' as const, projectId: null, userId: caller.userId };
    const onCall = recordEgress(deps, purpose, (error) => request.log.error({ err: error }, 'egress log'));
    const result = await probeModel(settings, onCall);
    if (result.error === null) await saveTestedTraits(deps, result);
    return await presentProbe(deps.db, caller.userId, result);
  });
}
