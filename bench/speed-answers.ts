import { createPool } from '../src/assistant/pool.ts';
import type { Memory } from '../src/memory/memory.ts';
import { share } from '../src/memory/share.ts';
import { ms, type Row, type Subject } from './speed-row.ts';
import { messages } from './speed-searching.ts';
import { percentile, timeEach } from './speed-timing.ts';

/** Answers to errors without a model, as the server makes them: in a thread, with git beside. */
export async function answersRow({ name, repo, queries, rounds }: Subject, memory: Memory): Promise<Row> {
  const pool = createPool({ threads: 1 });
  try {
    const now = new Date().toISOString();
    const errors = messages(memory, queries, 20).map((message) => message.slice(0, 4000));
    const times = await timeEach(errors, rounds, (error_message) =>
      pool.answer({ repo, shared: share(memory), request: { error_message }, sessions: [], now }),
    );
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    return {
      what: `debug answer without a model, ${memory.commits.count} commits`,
      repository: name,
      ours: `${ms(p50)} / ${ms(p95)} (p50 / p95)`,
      rival: '–',
      ratio: null,
      goal: 'p50 ≤ 300 ms, p95 ≤ 1 s',
      met: p50 <= 300 && p95 <= 1000,
    };
  } finally {
    await pool.close();
  }
}
