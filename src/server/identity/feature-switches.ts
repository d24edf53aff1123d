import { AppError, type ErrorKey } from '#contract/errors.ts';
import { FEATURES, type FeatureName } from '#contract/route.ts';
import type { Deps } from '../deps.ts';

/** State of each feature; true when it is enabled. */
type FeatureSwitches = Record<FeatureName, boolean>;

const SETTING = 'feature_flags';
const RETRY_AFTER_S = 600;

const REFUSALS: Record<FeatureName, ErrorKey> = {
  signup: 'signup_disabled',
  project_creation: 'project_creation_disabled',
  file_saving: 'file_saving_disabled',
  pushing: 'pushing_disabled',
  webhooks: 'webhooks_disabled',
  error_intake: 'error_intake_disabled',
  models: 'models_disabled',
  landing: 'page_not_found',
};

/** Reads the switches from the database at each use, so that a change takes effect on all replicas. */
export async function readFeatureSwitches({ db }: Pick<Deps, 'db'>): Promise<FeatureSwitches> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  const stored = (row?.value ?? {}) as Partial<FeatureSwitches>;
  return Object.fromEntries(FEATURES.map((name) => [name, stored[name] !== false])) as FeatureSwitches;
}

/** True while a feature is enabled. */
export async function isFeatureEnabled(deps: Pick<Deps, 'db'>, name: FeatureName): Promise<boolean> {
  return (await readFeatureSwitches(deps))[name];
}

/** Throws `unavailable` with the reason `feature_disabled`. */
export async function requireFeature(deps: Pick<Deps, 'db'>, name: FeatureName): Promise<void> {
  if (await isFeatureEnabled(deps, name)) return;
  throw new AppError('unavailable', REFUSALS[name], {
    reason: 'feature_disabled',
    retryAfter: RETRY_AFTER_S,
  });
}

/** Enables or disables features, and returns those that changed. */
export async function updateFeatureSwitches(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  changes: Partial<FeatureSwitches>,
): Promise<Partial<FeatureSwitches>> {
  return await db.transaction().execute(async (trx) => {
    const updated_at = now();
    await trx
      .insertInto('settings')
      .values({ key: SETTING, value: '{}', updated_at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ updated_at }))
      .execute();
    const before = await readFeatureSwitches({ db: trx });
    const value = JSON.stringify({ ...before, ...changes });
    await trx.updateTable('settings').set({ value }).where('key', '=', SETTING).execute();
    return Object.fromEntries(
      Object.entries(changes).filter(([name, on]) => before[name as FeatureName] !== on),
    );
  });
}
