import type { FastifyInstance } from 'fastify';
import type { EmitAnswerEvent } from '#assistant/answer/answer-context.ts';
import { analysisRoutes } from '#contract/analysis.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { acceptsEventStream, createEventStream } from '../http/sse.ts';
import { projectAccess } from '../identity/access.ts';
import { analyzeFile } from './analyze.ts';
import { type Checkers, checkText } from './check-file.ts';
import { readFileRisks } from './file-risks.ts';

/** Registers the analysis of a file in the editor: on demand, while it is typed, and by its history. */
export function registerAnalysis(app: FastifyInstance, deps: Deps, checkers: Checkers): void {
  serve(app, analysisRoutes.analyze, async ({ caller, params, body, request, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const onLogFailure = (error: unknown) => request.log.error({ err: error }, 'egress log');
    const work = (emit: EmitAnswerEvent, signal: AbortSignal) =>
      analyzeFile({ deps, checkers, project, userId: caller.userId, signal, emit, onLogFailure }, body);
    if (acceptsEventStream(request)) return createEventStream(request, reply, work);
    return await work(() => {}, abortOnDisconnect(reply));
  });

  serve(app, analysisRoutes.check, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    return await checkText({ deps, checkers, project, userId: caller.userId, signal }, body);
  });

  serve(app, analysisRoutes.risks, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    return await readFileRisks(deps, reader, { path: params['*'], ref: query.ref ?? null });
  });
}
