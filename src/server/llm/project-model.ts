import type { Model } from '#assistant/models/port.ts';
import { withholdFromModel } from '#assistant/models/withhold-paths.ts';
import { compilePathPatterns, type PathMatcher } from '#git/path-patterns.ts';
import type { Deps } from '../deps.ts';
import { requireFeature } from '../identity/feature-switches.ts';
import { readGuidance } from './guidance-files.ts';
import { type AnswerOwner, type SelectedModel, selectModel } from './select-model.ts';

type ModelDeps = Pick<Deps, 'db' | 'config' | 'keys' | 'egress' | 'projectFiles' | 'queues'>;

/** Time limit of an answer, including its time in the queue and tool calls. */
const ANSWER_TIMEOUT_MS = 240_000;

/**
 * Returns the model of a user for a project, null without one: its calls are queued fairly, so that no user starves others,
 * and it is never sent the paths which the project's settings exclude.
 */
export async function getModelForProject(deps: ModelDeps, owner: AnswerOwner): Promise<SelectedModel | null> {
  const selected = await selectModel(deps, owner);
  if (!selected?.model) return selected;
  const queued = withQueue(deps, selected.model, owner.userId);
  const isExcluded = await loadModelExclusions(deps, owner.projectId);
  return { ...selected, model: isExcluded ? withholdFromModel(queued, isExcluded) : queued };
}

function withQueue(deps: ModelDeps, model: Model, userId: string): Model {
  async function* write(...[prompt, options]: Parameters<Model['write']>) {
    // Checked for each call, so that an answer in progress completes without the model.
    await requireFeature(deps, 'models');
    const task = { userId, deadlineMs: ANSWER_TIMEOUT_MS, signal: options?.signal };
    // A slow provider of one user takes no place of the server's model.
    const queue = model.traits?.source === 'server' ? deps.queues.modelCalls : deps.queues.ownModelCalls;
    const slot = await queue.acquire(task);
    try {
      yield* model.write(prompt, { ...options, signal: slot.signal });
    } catch (error) {
      throw slot.signal.aborted ? slot.signal.reason : error;
    } finally {
      slot.release();
    }
  }
  return { ...model, write };
}

/** Paths whose content never reaches a model: those excluded from models or from the index; null for none. */
export async function loadModelExclusions(
  { db }: Pick<Deps, 'db'>,
  projectId: string,
): Promise<PathMatcher | null> {
  const row = await db
    .selectFrom('projects')
    .select(['excluded_paths', 'model_excluded_paths'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  const patterns = row ? [...row.excluded_paths, ...row.model_excluded_paths] : [];
  return patterns.length > 0 ? compilePathPatterns(patterns) : null;
}

/** Instructions of the project’s owner, and its guidance files at a commit: context of model answers, as data. */
export async function loadProjectNotes(
  deps: Pick<Deps, 'db' | 'projectFiles'>,
  { projectId, commit }: { projectId: string; commit: string },
): Promise<string> {
  const row = await deps.db
    .selectFrom('projects')
    .select('instructions')
    .where('id', '=', projectId)
    .executeTakeFirst();
  const isExcluded = (await loadModelExclusions(deps, projectId)) ?? (() => false);
  const repo = await deps.projectFiles.repositories.open(projectId);
  const guidance = await readGuidance(repo, commit, isExcluded);
  return [row?.instructions, guidance].filter(Boolean).join('\n\n');
}
