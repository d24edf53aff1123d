import { LRUCache } from 'lru-cache';
import type { ScrubRules } from '#intake/scrub.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from '../identity/feature-switches.ts';
import { readOnlyByPlan } from '../identity/plan-access.ts';

/** Project that events are sent to. */
export interface IntakeTarget {
  projectId: string;
  /** Null where the intake was never set up. */
  key: string | null;
  enabled: boolean;
  /** True while the plan of the owner allows no changes. */
  readOnlyByPlan: boolean;
  rules: ScrubRules;
}

/** Settings for every request, read again after a second, so that a rotated key and the switch act within one. */
export interface IntakeCache {
  /** Returns null for a number that no project has. */
  find(number: string): Promise<IntakeTarget | null>;
  /** True unless an administrator has turned the intake off. */
  isEnabled(): Promise<boolean>;
  clear(): void;
}

const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 10_000;
/** Beyond it a number is no `integer` of PostgreSQL. */
const MAX_NUMBER = 2 ** 31 - 1;

export function createIntakeCache(deps: Pick<Deps, 'db' | 'config' | 'now'>): IntakeCache {
  const entries = new LRUCache<string, { at: number; value: Promise<unknown> }>({ max: MAX_ENTRIES });
  const cached = <T>(name: string, load: () => Promise<T>): Promise<T> => {
    const at = deps.now().getTime();
    const entry = entries.get(name);
    if (entry && Math.abs(at - entry.at) < MAX_AGE_MS) return entry.value as Promise<T>;
    const value = load();
    entries.set(name, { at, value });
    value.catch(() => entries.delete(name));
    return value;
  };
  return {
    async find(number) {
      if (!/^[1-9]\d{0,9}$/.test(number) || Number(number) > MAX_NUMBER) return null;
      return await cached(number, () => loadTarget(deps, Number(number)));
    },
    isEnabled: () => cached('switch', () => isFeatureEnabled(deps, 'error_intake')),
    clear: () => entries.clear(),
  };
}

async function loadTarget(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  number: number,
): Promise<IntakeTarget | null> {
  const row = await deps.db
    .selectFrom('projects as p')
    .leftJoin('project_intakes as i', 'i.project_id', 'p.id')
    .select(['p.id', 'i.key', 'i.enabled', 'i.scrub_defaults', 'i.scrub_fields'])
    .select(readOnlyByPlan(deps, 'p.id').as('read_only_by_plan'))
    .where('p.number', '=', number)
    .executeTakeFirst();
  if (!row) return null;
  return {
    projectId: row.id,
    key: row.key,
    enabled: row.enabled ?? false,
    readOnlyByPlan: row.read_only_by_plan,
    rules: { defaults: row.scrub_defaults ?? true, fields: row.scrub_fields ?? [] },
  };
}
