import { expect, test } from 'vitest';
import type { Dashboard } from '#contract/dashboard.ts';
import { counterWeeks } from './counter-weeks.ts';

test('weeks of the counters add up over the projects', () => {
  const now = Date.parse('2026-06-30T12:00:00Z');
  const dashboard = { solved_weeks: [0, 2, 1] } as Dashboard;
  const projects = [
    { created_at: '2026-01-01T00:00:00Z', weeks: [3, 0, 1] },
    { created_at: '2026-06-20T00:00:00Z', weeks: [1, 0, 0] },
    { created_at: '2026-06-29T00:00:00Z', weeks: null },
  ];
  expect(counterWeeks(dashboard, projects, now)).toEqual({
    total_projects: [1, 2, 3],
    total_commits: [4, 0, 1],
    solved_errors: [0, 2, 1],
    active_projects: [2, 0, 1],
  });
});
