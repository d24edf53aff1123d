import { DEFAULT_BASE_URLS, requiresApiKey } from '#assistant/models/base-urls.ts';
import { openModel } from '#assistant/models/open-model.ts';
import type { Model, ModelSettings } from '#assistant/models/port.ts';
import { AppError } from '#contract/errors.ts';
import type { ModelConfig } from '#contract/models.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from '../identity/feature-switches.ts';

type ModelDeps = Pick<Deps, 'db' | 'config' | 'keys'>;

const SETTING = 'model';
const PURPOSE = 'model key';
const TESTED_SETTING = 'model_tested';

/** Results of a test of the model. */
interface TestedTraits {
  images: boolean;
  context_window: number | null;
}

/** Stored settings of the model, with the API key encrypted. */
interface StoredModel {
  provider: ModelSettings['provider'];
  name: string;
  base_url: string;
  sealed_key: string | null;
}

/** Open models by settings, which keeps the state of each (circuit breaker, supported features). */
const opened = new WeakMap<object, Map<string, Model>>();

/** Returns the language model: from the environment, else as an administrator set it; null without one or while disabled. */
export async function getModel(deps: ModelDeps): Promise<Model | null> {
  if (!(await isFeatureEnabled(deps, 'models'))) return null;
  const settings = await readModelSettings(deps);
  if (!settings) return null;
  const models = opened.get(deps.config) ?? new Map<string, Model>();
  opened.set(deps.config, models);
  const key = JSON.stringify(settings);
  const model = models.get(key) ?? openModel(settings);
  models.clear();
  models.set(key, model);
  return model;
}

/** Reads the settings of the model with its API key; null without one. Throws `unavailable` when the key cannot be decrypted. */
export async function readModelSettings(deps: ModelDeps): Promise<ModelSettings | null> {
  if (deps.config.model) return deps.config.model;
  const stored = await readStored(deps);
  if (!stored) return null;
  const { provider, name, base_url: baseUrl, sealed_key } = stored;
  const apiKey = sealed_key === null ? null : createBox(deps.keys, PURPOSE).open(sealed_key, SETTING);
  return { provider, name, baseUrl, apiKey };
}

/** Describes the model and the source of its settings, without the API key. */
export async function describeModel(deps: ModelDeps): Promise<ModelConfig> {
  const { model } = deps.config;
  if (model) {
    const { provider, name, baseUrl, apiKey } = model;
    return { source: 'environment', provider, name, base_url: baseUrl, has_api_key: apiKey !== null };
  }
  const stored = await readStored(deps);
  if (!stored) return { source: null, provider: null, name: null, base_url: null, has_api_key: false };
  const { provider, name, base_url, sealed_key } = stored;
  return { source: 'admin', provider, name, base_url, has_api_key: sealed_key !== null };
}

/** Saves the model with its API key encrypted. Throws `conflict` when the environment sets one, `bad_request` for missing fields. */
export async function saveModel(
  deps: ModelDeps,
  input: {
    provider: StoredModel['provider'];
    name: string;
    base_url?: string | null;
    api_key?: string | null;
  },
): Promise<void> {
  if (deps.config.model) {
    throw new AppError('conflict', 'model_set_by_environment');
  }
  const base = input.base_url ?? DEFAULT_BASE_URLS[input.provider];
  if (!base) throw new AppError('bad_request', 'model_base_url_required', { reason: 'base_url_required' });
  const before = await readStored(deps);
  // A key is sent only to the provider it was entered for.
  const kept = before?.base_url === base && before.provider === input.provider ? before.sealed_key : null;
  const sealed_key = input.api_key ? createBox(deps.keys, PURPOSE).seal(input.api_key, SETTING) : kept;
  if (sealed_key === null && requiresApiKey(input.provider)) {
    throw new AppError('bad_request', 'model_key_required', { reason: 'api_key_required' });
  }
  const base_url = base.replace(/\/+$/, '');
  const value = JSON.stringify({ provider: input.provider, name: input.name, base_url, sealed_key });
  await deps.db
    .insertInto('settings')
    .values({ key: SETTING, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: new Date() }))
    .execute();
}

/** Traits of the server's model that a test has found out; null before a test of this very model. */
export async function readTestedTraits(deps: ModelDeps): Promise<TestedTraits | null> {
  const row = await deps.db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', TESTED_SETTING)
    .executeTakeFirst();
  const { model, ...traits } = (row?.value ?? { model: null }) as TestedTraits & { model: string | null };
  return model !== null && model === modelIdentity(await describeModel(deps)) ? traits : null;
}

/** Stores the traits that a test of the server's model has found out. */
export async function saveTestedTraits(deps: ModelDeps, traits: TestedTraits): Promise<void> {
  const { images, context_window } = traits;
  const value = JSON.stringify({ images, context_window, model: modelIdentity(await describeModel(deps)) });
  await deps.db
    .insertInto('settings')
    .values({ key: TESTED_SETTING, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: new Date() }))
    .execute();
}

function modelIdentity({ provider, name, base_url }: ModelConfig): string {
  return `${provider}:${name} ${base_url}`;
}

/** Deletes the model that an administrator set. */
export async function deleteModel({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.deleteFrom('settings').where('key', '=', SETTING).execute();
}

async function readStored({ db }: Pick<Deps, 'db'>): Promise<StoredModel | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as StoredModel | undefined) ?? null;
}
