import { AppError } from '#contract/errors.ts';
import type { RateLimit } from '#contract/rate-limits.ts';
import type { Deps } from '../deps.ts';

/** Counts events by project and in total, in memory: a query for each event would cost more than the event. */
export interface EventLimits {
  /** Throws `rate_limited` while a limit is used up. */
  check(projectId: string): void;
  /** Counts events. Throws `rate_limited` where they exceed a limit. */
  consume(projectId: string, count: number): void;
}

interface Window {
  uses: number;
  resetsAt: number;
}

/** Windows of projects in memory, beyond which expired ones are dropped. */
const MAX_WINDOWS = 10_000;

export function createEventLimits({ config: { limits }, now }: Pick<Deps, 'config' | 'now'>): EventLimits {
  const windows = new Map<string, Window>();

  const windowOf = (key: string, { seconds }: RateLimit): Window => {
    const time = now().getTime();
    const current = windows.get(key);
    if (current && current.resetsAt > time) return current;
    if (windows.size > MAX_WINDOWS) dropExpired(windows, time);
    const fresh = { uses: 0, resetsAt: time + seconds * 1000 };
    windows.set(key, fresh);
    return fresh;
  };

  const use = (projectId: string, count: number) => {
    const pairs = [
      [windowOf(projectId, limits.eventsPerProject), limits.eventsPerProject],
      [windowOf('all', limits.eventsPerServer), limits.eventsPerServer],
    ] as const;
    for (const [window, limit] of pairs) {
      if (window.uses + Math.max(1, count) > limit.max) {
        const retryAfter = Math.max(1, (window.resetsAt - now().getTime()) / 1000);
        throw new AppError('rate_limited', 'intake_limit_reached', { retryAfter });
      }
    }
    for (const [window] of pairs) window.uses += count;
  };

  return {
    check: (projectId) => use(projectId, 0),
    consume: use,
  };
}

function dropExpired(windows: Map<string, Window>, time: number): void {
  for (const [key, { resetsAt }] of windows) if (resetsAt <= time) windows.delete(key);
}
