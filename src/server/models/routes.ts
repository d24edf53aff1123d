import type { FastifyInstance } from 'fastify';
import { probeModel } from '#assistant/models/probe.ts';
import { AppError } from '#contract/errors.ts';
import { modelRoutes } from '#contract/models.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { audit, origin } from '../identity/audit-log.ts';
import { recordEgress } from '../llm/egress-record.ts';
import { modelSettings, modelState, removeModel, setModel } from '../llm/language-model.ts';
import { modelUse, modelUseByUser } from '../llm/model-budget.ts';

/** Serves the feature `models`: which language model writes answers, and what it can do. */
export function registerModels(app: FastifyInstance, deps: Deps): void {
  serve(app, modelRoutes.state, async () => await modelState(deps));

  serve(app, modelRoutes.set, async ({ caller, body, request }) => {
    await setModel(deps, body);
    const state = await modelState(deps);
    const detail = { model: `${state.provider}:${state.name}`, host: new URL(state.base_url ?? '').host };
    await audit(deps.db, { userId: caller.userId, event: 'model_set', detail, ...origin(request) });
    return state;
  });

  serve(app, modelRoutes.remove, async ({ caller, request }) => {
    await removeModel(deps);
    await audit(deps.db, { userId: caller.userId, event: 'model_removed', ...origin(request) });
    return { ok: true as const };
  });

  serve(app, modelRoutes.use, async ({ caller }) => await modelUse(deps, caller.userId));

  serve(app, modelRoutes.users, async () => {
    return { users: await modelUseByUser(deps), currency: deps.config.modelBudget.prices?.currency ?? null };
  });

  serve(app, modelRoutes.probe, async ({ caller, request }) => {
    const settings = await modelSettings(deps);
    if (!settings) throw new AppError('bad_request', 'No language model is set.', { reason: 'no_model' });
    const purpose = { purpose: 'probe' as const, projectId: null, userId: caller.userId };
    const onCall = recordEgress(deps, purpose, (error) => request.log.error({ err: error }, 'egress log'));
    return await probeModel(settings, onCall);
  });
}
