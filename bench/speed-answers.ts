import { createPool } from '../src/assistant/pool.ts';
import { buildChangeIndex } from '../src/memory/changes/build-change-index.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { newFolder } from './speed-folder.ts';
import { ms, type Row, type Subject } from './speed-row.ts';
import { messages } from './speed-searching.ts';
import { percentile, timeEach, timeOnce } from './speed-timing.ts';

/**
 * Answers to errors without a model, as the server makes them once the changes of the history are read: in a thread,
 * with git beside. Processor time is this process's, all threads together.
 */
export async function answersRow(subject: Subject, index: RepositoryIndex): Promise<Row> {
  const { name, repo, head, queries, rounds } = subject;
  const hunks = await newFolder(subject, 'hunks');
  await buildChangeIndex(
    { repo, revision: head, directory: hunks },
    { onProgress: () => {}, signal: new AbortController().signal },
  );
  const pool = createPool({ threads: 1 });
  try {
    const now = new Date().toISOString();
    const errors = messages(index, queries, 20).map((message) => message.slice(0, 4000));
    const answer = (error_message: string) =>
      pool.answerError(
        {
          repo,
          hunks,
          shared: index.shared,
          request: { error_message },
          sessions: [],
          language: 'en',
          now,
        },
        { userId: 'bench' },
      );
    const times = await timeEach(errors, rounds, answer);
    const { processor: busy } = await timeOnce(errors, answer);
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    return {
      what: `debug answer without a model, ${index.commits.count} commits`,
      repository: name,
      ours: `${ms(p50)} / ${ms(p95)} (p50 / p95), processor ${ms(percentile(busy, 0.5))} / ${ms(percentile(busy, 0.95))}`,
      rival: '–',
      ratio: null,
      goal: 'p50 ≤ 300 ms, p95 ≤ 1 s',
      met: p50 <= 300 && p95 <= 1000,
    };
  } finally {
    await pool.close();
  }
}
