import type { Model } from '#assistant/models/port.ts';
import { withholdFromModel } from '#assistant/models/withhold-paths.ts';
import { compilePathPatterns, type PathMatcher } from '#git/path-patterns.ts';
import type { Deps } from '../deps.ts';
import { projectStorage } from '../project-data/storage.ts';
import { readGuidance } from './guidance-files.ts';
import { getModelForUser } from './language-model.ts';

type ModelDeps = Pick<Deps, 'db' | 'config' | 'keys' | 'queues'>;

/** Returns the model of a user for a project: one that is never sent the paths which the project’s settings exclude. */
export async function getModelForProject(
  deps: ModelDeps,
  { userId, projectId }: { userId: string; projectId: string },
): Promise<Model | null> {
  const model = await getModelForUser(deps, userId);
  const isExcluded = model && (await loadModelExclusions(deps, projectId));
  return model && isExcluded ? withholdFromModel(model, isExcluded) : model;
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
  deps: Pick<Deps, 'db' | 'config'>,
  { projectId, commit }: { projectId: string; commit: string },
): Promise<string> {
  const row = await deps.db
    .selectFrom('projects')
    .select('instructions')
    .where('id', '=', projectId)
    .executeTakeFirst();
  const isExcluded = (await loadModelExclusions(deps, projectId)) ?? (() => false);
  const { repo } = projectStorage(deps.config.dataDir, projectId);
  const guidance = await readGuidance(repo, commit, isExcluded);
  return [row?.instructions, guidance].filter(Boolean).join('\n\n');
}
