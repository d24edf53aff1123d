import { type Kysely, sql } from 'kysely';
import type { IntakeOutcome } from '#contract/intake.ts';
import type { Database } from '#db/schema.ts';

/** Counts events that are not stored. */
export interface DropCounter {
  add(projectId: string, outcome: IntakeOutcome, count?: number): void;
  /** Writes what was counted since the last time. */
  flush(): Promise<void>;
}

/** Creates a counter in memory, so that a dropped event costs no query. A crash loses the counts of seconds. */
export function createDropCounter(db: Kysely<Database>): DropCounter {
  let counts = new Map<string, number>();
  return {
    add(projectId, outcome, count = 1) {
      if (count === 0) return;
      const key = `${outcome} ${projectId}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    },
    async flush() {
      if (counts.size === 0) return;
      const rows = [...counts]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, count]) => {
          const [outcome, projectId] = key.split(' ');
          return sql`(${projectId}::text, ${outcome}::text, ${count}::bigint)`;
        });
      counts = new Map();
      await sql`
        insert into intake_counts (project_id, day, outcome, count)
        select v.project_id, (now() at time zone 'utc')::date, v.outcome, v.count
        from (values ${sql.join(rows)}) v (project_id, outcome, count) join projects p on p.id = v.project_id
        order by v.project_id, v.outcome
        on conflict (project_id, day, outcome) do update set count = intake_counts.count + excluded.count`.execute(
        db,
      );
    },
  };
}
