import { LRUCache } from 'lru-cache';
import { openModel } from '#assistant/models/open-model.ts';
import type { Model, ModelSettings } from '#assistant/models/port.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import type { AnsweringModel, ModelSource } from '#contract/own-models.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from '../identity/feature-switches.ts';
import { describeModel, getModel, readTestedTraits } from './language-model.ts';
import { findOwnModel, type ModelOwner, type StoredOwnModel, toModelSettings } from './own-model.ts';

type ModelDeps = Pick<Deps, 'db' | 'config' | 'keys' | 'egress'>;

/** User and project of an answer. */
export interface AnswerOwner {
  userId: string;
  projectId: string;
}

/** The model for an answer; `model` is null for one that may not be used. */
export interface SelectedModel extends AnsweringModel {
  model: Model | null;
}

/**
 * Selects the model of a project for a user: the project's, then the user's own, then the server's; null without one. A model
 * that may not be used is not replaced by the next: the data of a question goes where its owner expects, or nowhere.
 */
export async function selectModel(
  deps: ModelDeps,
  { userId, projectId }: AnswerOwner,
): Promise<SelectedModel | null> {
  if (!(await isFeatureEnabled(deps, 'models'))) return null;
  const [project, own] = await Promise.all([
    findOwnModel(deps.db, { projectId }),
    findOwnModel(deps.db, { userId }),
  ]);
  if (project) return openOwn(deps, 'project', { projectId }, project);
  if (own) return openOwn(deps, 'own', { userId }, own);
  return await selectServerModel(deps);
}

async function selectServerModel(deps: ModelDeps): Promise<SelectedModel | null> {
  const model = await getModel(deps);
  const { base_url } = await describeModel(deps);
  if (!model || !base_url) return null;
  const tested = await readTestedTraits(deps);
  const contextWindow = tested?.context_window ?? null;
  return {
    ...{ source: 'server', name: model.name, host: new URL(base_url).host, unusable: null },
    ...{ images: tested?.images ?? false, is_tested: tested !== null, context_window: contextWindow },
    model: { ...model, traits: { source: 'server', contextWindow } },
  };
}

function openOwn(
  deps: ModelDeps,
  source: Exclude<ModelSource, 'server'>,
  owner: ModelOwner,
  stored: StoredOwnModel,
): SelectedModel {
  const { tested, state } = stored;
  const contextWindow = tested?.context_window ?? null;
  const described = {
    ...{ source, name: `${stored.provider}:${stored.name}`, host: new URL(stored.base_url).host },
    ...{ images: tested?.images ?? false, is_tested: tested !== null, context_window: contextWindow },
  };
  if (state !== 'usable') return { ...described, unusable: state, model: null };
  const { name, write } = openCached(toModelSettings(deps, owner, stored));
  const model = { name, write: withOwnErrors(write), traits: { source, contextWindow } };
  return { ...described, unusable: null, model };
}

/** Open models by settings, which keeps the state of each (circuit breaker, supported features). */
const opened = new WeakMap<object, LRUCache<string, Model>>();
const MAX_OPEN_MODELS = 200;

function openCached({ egress, ...settings }: ModelSettings): Model {
  const models = opened.get(egress!) ?? new LRUCache<string, Model>({ max: MAX_OPEN_MODELS });
  opened.set(egress!, models);
  const key = JSON.stringify(settings);
  const model = models.get(key) ?? openModel({ ...settings, ...(egress && { egress }) });
  models.set(key, model);
  return model;
}

/** Failures whose advice differs for a model that the reader has set. */
const OWN_ERRORS: Partial<Record<ErrorKey, ErrorKey>> = {
  model_key_rejected: 'own_model_key_rejected',
  model_not_found: 'own_model_not_found',
  model_quota_exceeded: 'own_model_quota_exceeded',
};

function withOwnErrors(write: Model['write']): Model['write'] {
  return async function* writeOwn(prompt, options) {
    try {
      yield* write(prompt, options);
    } catch (error) {
      throw error instanceof AppError ? toOwnError(error) : error;
    }
  };
}

/** Words a failure for the owner of the model. */
export function toOwnError(error: AppError): AppError {
  const key = OWN_ERRORS[error.messageKey];
  return key ? new AppError(error.code, key, { reason: key, cause: error }) : error;
}
