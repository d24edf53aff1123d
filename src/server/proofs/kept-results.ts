import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { ResultStore } from '#proof/runner.ts';

/** Characters of the output that are kept with a result: its end. */
const MAX_OUTPUT = 8 * 1024;

/** Results of earlier runs in a project. What time or memory ended may end otherwise next time, and is not kept. */
export function openKeptResults(db: Kysely<Database>, projectId: string): ResultStore {
  return {
    async get(key) {
      const row = await db
        .selectFrom('proof_results')
        .select(['outcome', 'skip_reason', 'ms', 'output', 'lines'])
        .where('project_id', '=', projectId)
        .where('key', '=', key)
        .executeTakeFirst();
      return row
        ? {
            ...{ outcome: row.outcome, skipReason: row.skip_reason, ms: row.ms, output: row.output },
            lines: row.lines ?? undefined,
          }
        : null;
    },
    async set(key, { outcome, skipReason, ms, output, lines }) {
      if (skipReason !== null && TRANSIENT.has(skipReason)) return;
      const text = output.slice(-MAX_OUTPUT).replaceAll('\0', '\u{fffd}').toWellFormed();
      const counts = lines ? JSON.stringify(lines) : null;
      const result = { outcome, skip_reason: skipReason, ms: Math.round(ms), output: text, lines: counts };
      await db
        .insertInto('proof_results')
        .values({ project_id: projectId, key, ...result })
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'key']).doUpdateSet({ ...result, created_at: sql<Date>`now()` }),
        )
        .execute();
    },
  };
}

const TRANSIENT = new Set(['time', 'memory', 'killed', 'output']);
