import { expect, test } from 'vitest';
import { truncateAnswer } from './truncate-answer.ts';

const LONG = 'x'.repeat(100_000);

test('texts of a guard are cut as others are', () => {
  const commit = { hash: 'a'.repeat(40), message: LONG, author: 'Ada', timestamp: '2024-01-01T00:00:00Z' };
  const caller = { path: 'src/a.ts', line: 1, text: LONG, in_repository: true };
  const guard = {
    path: 'src/b.ts',
    start_line: 1,
    end_line: 2,
    condition: LONG,
    message: LONG,
    commit,
    caller,
  };
  const answer = truncateAnswer({
    ...{ solution: '', confidence: 0, abstained: true, guard, root_cause: null, patch: null },
    ...{ context: { similar_errors: [], code_suggestions: [] }, places: [], suspect_commits: [] },
    ...{ related_commits: [], evidence: [], timeline: [] },
  } as unknown as Parameters<typeof truncateAnswer>[0]);
  const cut = answer.guard!;
  for (const text of [cut.condition, cut.message, cut.commit!.message, cut.caller!.text]) {
    expect(text.length).toBeLessThan(20_000);
    expect(text).toMatch(/^x{1000}/);
  }
  expect(cut).toMatchObject({ path: guard.path, caller: { line: 1 }, commit: { hash: commit.hash } });
});
