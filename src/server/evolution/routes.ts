import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Coupling, type Evolution, evolutionRoutes } from '#contract/evolution.ts';
import { normalizeFolder } from '#evolution/evolution-report.ts';
import type { SharedIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { type Caller, projectAccess } from '../identity/access.ts';
import { SURVEY_FILE, surveyPath } from '../project-data/code-age.ts';
import { missingIndex } from '../project-data/missing-index.ts';
import { requireIndex } from '../project-data/storage.ts';
import { requestSurvey } from './code-age-tasks.ts';

/** Replies that are kept: a reader who changes the range and back gets them at once. */
const CACHE_SIZE = 100;

/** Registers the `evolution` routes. Replies depend on the index and the scope alone and are cached by both. */
export function registerEvolution(app: FastifyInstance, deps: Deps): void {
  const cache = new LRUCache<string, Evolution | Coupling>({ max: CACHE_SIZE });

  const measure = async <T extends Evolution | Coupling>(
    task: 'measureEvolution' | 'measureCoupling',
    { caller, params, query, reply }: EvolutionCall,
  ): Promise<T> => {
    const { project, shared } = await openProject(deps, caller, params.id);
    const scope = { ...query, path: normalizeFolder(query.path) };
    const key = JSON.stringify([project.id, shared.generation, task, scope]);
    const cached = cache.get(key);
    if (cached) return cached as T;
    const repo = await deps.projectFiles.repositories.open(project.id);
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const result = await deps.pool[task]({ repo, shared, scope }, { userId: caller.userId, signal });
    cache.set(key, result);
    return result as T;
  };

  serve(app, evolutionRoutes.get, (call) => measure<Evolution>('measureEvolution', call));
  serve(app, evolutionRoutes.coupling, (call) => measure<Coupling>('measureCoupling', call));

  serve(app, evolutionRoutes.age, async ({ caller, params, query, reply }) => {
    const { project, shared } = await openProject(deps, caller, params.id);
    await deps.projectFiles.follow(project.id, SURVEY_FILE);
    const survey = surveyPath(deps.config.dataDir, project.id);
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const task = { shared, survey, path: normalizeFolder(query.path) };
    const age = await deps.pool.readCodeAge(task, { userId: caller.userId, signal });
    if (!age.complete) await requestSurvey(deps, project.id);
    return age;
  });
}

interface EvolutionCall {
  caller: Caller;
  params: { id: string };
  query: { from?: string | undefined; to?: string | undefined; path?: string | undefined };
  reply: FastifyReply;
}

/** Opens a project whose code is indexed. Throws `unavailable` before, `conflict` where indexing failed. */
async function openProject(deps: Deps, caller: Caller, id: string) {
  const project = await projectAccess(deps, caller, id, 'viewer');
  const { shared } = await requireIndex(deps, project);
  if (shared.code === null) throw await missingIndex(deps, id);
  return { project, shared: shared satisfies SharedIndex };
}
