import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { buildChangeIndex } from '#memory/changes/build-change-index.ts';
import { closeChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findLineOrigin } from './line-origin.ts';
import { findRangeChanges } from './range-history.ts';

const EDITS = 60;

let repo: TestRepository;
let index: RepositoryIndex;
let hunks: string;

/** A reproducible sequence of numbers below a limit. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}

const CLASSES = (check: string) =>
  `class Base {\n  isolating = true;\n}\n\nclass Path {\n  name = 'path';\n${check}}\n`;

beforeAll(async () => {
  const next = numbers(3);
  repo = await buildRepository(async (building) => {
    const lines = Array.from({ length: 80 }, (_, i) => `line ${i}`);
    await building.commit({
      message: 'Begin',
      files: { 'old.txt': `${lines.join('\n')}\n`, 'classes.js': CLASSES('') },
    });
    for (let edit = 0; edit < EDITS; edit++) {
      const places = 1 + next(3);
      for (let i = 0; i < places; i++) {
        const added = Array.from({ length: next(5) }, (_, k) => `edit ${edit} ${i} ${k}`);
        lines.splice(next(lines.length), next(4), ...added);
      }
      const isRename = edit === EDITS / 2;
      await building.commit({
        message: `Edit ${edit}`,
        files: {
          [edit < EDITS / 2 ? 'old.txt' : 'new.txt']: `${lines.join('\n')}\n`,
          ...(isRename && { 'old.txt': null }),
        },
      });
    }
    await building.commit({
      message: 'Isolate services',
      files: { 'service.js': 'class Service {\n  isolating = false; // of paths\n}\n' },
    });
    await building.commit({
      message: 'Keep paths together',
      files: { 'classes.js': CLASSES('  isolating = false; // of paths\n') },
    });
    await building.commit({
      message: 'Move the service',
      files: {
        'service.js': null,
        'other.js': 'class Other {}\n\n// Moved here.\n',
        'classes.js': `${CLASSES('  isolating = false; // of paths\n')}\nclass Service {\n  isolating = false; // of paths\n}\n`,
      },
    });
  });
  index = await indexRepository(repo.path, 'main');
  hunks = await mkdtemp(join(tmpdir(), 'hindsight-range-history-'));
  const signal = new AbortController().signal;
  await buildChangeIndex(
    { repo: repo.path, revision: await repo.head(), directory: hunks },
    { onProgress: () => {}, signal },
  );
});
afterAll(async () => {
  closeChangeIndex(hunks);
  await rm(hunks, { recursive: true, force: true });
  await repo.remove();
});

async function withContext<T>(
  directory: string | null,
  use: (context: ToolContext) => Promise<T>,
): Promise<T> {
  const sources = openSourceReader(repo.path, index);
  try {
    return await use({ repo: repo.path, index, hunks: directory, sources, now: 0 });
  } finally {
    sources.close();
  }
}

test('positions of hunks and patches tell the same changes of any range', async () => {
  const count = index.code!.fileLines(index.code!.fileNumber('new.txt'));
  for (let from = 1; from + 4 <= count; from += 5) {
    const range = { path: 'new.txt', lines: [from, from + 4] as [number, number] };
    const fromPatches = await withContext(null, (context) => findRangeChanges(range, 4, context));
    const fromPositions = await withContext(hunks, (context) => findRangeChanges(range, 4, context));
    expect(fromPositions).toEqual(fromPatches);
    expect(fromPatches.length).toBeGreaterThan(0);
  }
});

test('a line that was written before elsewhere comes from its own commit, a moved one from the first', async () => {
  const originOf = async (line: number) => {
    const text = 'isolating = false; // of paths';
    const commit = await withContext(hunks, (context) =>
      findLineOrigin({ path: 'classes.js', line, text }, context),
    );
    return index.commits.subject(commit!);
  };
  expect(await originOf(7)).toBe('Keep paths together');
  expect(await originOf(11)).toBe('Isolate services');
});
