import { expect, test } from 'vitest';
import type { Events } from '../events.ts';
import { createProjectCancellation } from './project-cancellation.ts';

type Removed = { type: 'project-removed'; projectId: string; userIds: string[] };

function setUp() {
  let hear: (event: Removed) => void = () => {};
  const subscribe = (_type: string, listener: (event: Removed) => void) => {
    hear = listener;
    return () => {};
  };
  const work = createProjectCancellation({ subscribe } as unknown as Pick<Events, 'subscribe'>);
  return { work, remove: (projectId: string) => hear({ type: 'project-removed', projectId, userIds: [] }) };
}

test('deleting a project cancels its own work only', () => {
  const { work, remove } = setUp();
  const [mine, other] = [work.signalFor('a'), work.signalFor('b')];
  remove('a');
  expect([mine.aborted, other.aborted]).toEqual([true, false]);
});

test('work is cancelled by its own signal as well', () => {
  const { work } = setUp();
  const caller = new AbortController();
  const [one, two] = [work.signalFor('a', caller.signal), work.signalFor('a')];
  caller.abort();
  expect([one.aborted, two.aborted]).toEqual([true, false]);
  work.cancel('a');
  expect(two.aborted).toBe(true);
});

test('work that starts after the deletion is cancelled at once', () => {
  const { work } = setUp();
  work.cancel('a');
  expect(work.signalFor('a').aborted).toBe(true);
});
