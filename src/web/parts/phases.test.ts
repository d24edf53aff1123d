import { expect, test } from 'vitest';
import type { Project } from '#contract/projects.ts';
import { isBusy, phaseProgress } from './phases.ts';

const READY: Project = {
  id: 'p',
  name: 'p',
  git_url: 'https://git.test/p.git',
  description: null,
  created_at: '2026-11-20T00:00:00Z',
  updated_at: '2026-11-20T00:00:00Z',
  role: 'owner',
  status: 'ready',
  activity: null,
  failure: null,
  branch: 'main',
  indexed_commit: 'a'.repeat(40),
  indexed_at: '2026-11-20T00:00:00Z',
  coverage: null,
  fetched_at: null,
  behind: null,
  weeks: null,
  may_push: false,
  may_push_default: false,
  may_run: false,
};

const states = (project: Project) => phaseProgress(project).map((layer) => layer.state);

test('phases complete in order', () => {
  const indexing: Project = {
    ...READY,
    status: 'indexing',
    activity: { phase: 'passages', done: 30, total: 120, unit: 'files' },
  };
  expect(phaseProgress(indexing)).toEqual([
    { phase: 'cloning', state: 'done' },
    { phase: 'commits', state: 'done' },
    { phase: 'passages', state: 'current', share: 0.25 },
    { phase: 'publishing', state: 'waiting' },
  ]);
});

test('a queued project has no current phase', () => {
  expect(states({ ...READY, status: 'queued', indexed_commit: null })).toEqual(Array(4).fill('waiting'));
});

test('a refresh of a ready project starts with the cloning phase', () => {
  const refreshing: Project = {
    ...READY,
    activity: { phase: 'fetching', done: 0, total: null, unit: 'objects' },
  };
  expect(isBusy(refreshing)).toBe(true);
  expect(phaseProgress(refreshing)[0]).toEqual({ phase: 'cloning', state: 'current', share: null });
});

test('without an activity the status determines the phase', () => {
  expect(states({ ...READY, status: 'reading' })).toEqual(['done', 'current', 'waiting', 'waiting']);
});

test('a ready project is done; one that failed before its first index is waiting', () => {
  expect(isBusy(READY)).toBe(false);
  expect(states(READY)).toEqual(Array(4).fill('done'));
  expect(states({ ...READY, status: 'failed', indexed_commit: null })).toEqual(Array(4).fill('waiting'));
});
