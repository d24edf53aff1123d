import { AppError } from '#contract/errors.ts';
import { FEATURES, type FeatureName } from '#contract/route.ts';
import type { Deps } from '../deps.ts';

/** What is switched on. */
export type Switches = Record<FeatureName, boolean>;

const SETTING = 'switches';
const RETRY_AFTER_S = 600;

const REFUSALS: Record<FeatureName, string> = {
  signup: 'An administrator has switched off new accounts on this server. Ask them for one.',
  connecting: 'An administrator has switched off connecting projects on this server. Try again later.',
  saving: 'An administrator has switched off saving on this server. Keep your text and try again later.',
  hooks: 'An administrator has switched off incoming webhooks on this server. Send it again later.',
  models: 'An administrator has switched off language models on this server. Try again later.',
};

/** The switches of the server. Read from the database at each use, so a change holds for every replica at once. */
export async function readSwitches({ db }: Pick<Deps, 'db'>): Promise<Switches> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  const stored = (row?.value ?? {}) as Partial<Switches>;
  return Object.fromEntries(FEATURES.map((name) => [name, stored[name] !== false])) as Switches;
}

/** Whether something is switched on. */
export async function isOn(deps: Pick<Deps, 'db'>, name: FeatureName): Promise<boolean> {
  return (await readSwitches(deps))[name];
}

/** Throws `unavailable` with the reason `switched_off`. */
export async function requireSwitch(deps: Pick<Deps, 'db'>, name: FeatureName): Promise<void> {
  if (await isOn(deps, name)) return;
  throw new AppError('unavailable', REFUSALS[name], { reason: 'switched_off', retryAfter: RETRY_AFTER_S });
}

/** Turns switches on or off, and returns those that have changed. */
export async function changeSwitches(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  wanted: Partial<Switches>,
): Promise<Partial<Switches>> {
  return await db.transaction().execute(async (trx) => {
    const updated_at = now();
    await trx
      .insertInto('settings')
      .values({ key: SETTING, value: '{}', updated_at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ updated_at }))
      .execute();
    const before = await readSwitches({ db: trx });
    const value = JSON.stringify({ ...before, ...wanted });
    await trx.updateTable('settings').set({ value }).where('key', '=', SETTING).execute();
    return Object.fromEntries(
      Object.entries(wanted).filter(([name, on]) => before[name as FeatureName] !== on),
    );
  });
}
