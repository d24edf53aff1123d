import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { git } from './run.ts';
import { buildRepository, storeBlob } from './testing.ts';
import { assertWritablePath } from './writable-path.ts';

const repository = await buildRepository(async (repo) => {
  await repo.commit({ files: { a: 'a\n' } });
});
const blob = await storeBlob(repository.path, Buffer.from('x\n'));
const folder = await mkdtemp(join(tmpdir(), 'hindsight-index-'));
afterAll(async () => {
  await repository.remove();
  await rm(folder, { recursive: true, force: true });
});

function accepts(path: string): boolean {
  try {
    assertWritablePath(path);
    return true;
  } catch {
    return false;
  }
}

async function gitAccepts(path: string): Promise<boolean> {
  const { exitCode } = await git(
    repository.path,
    ['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`],
    {
      name: 'update-index',
      env: { GIT_INDEX_FILE: join(folder, 'index') },
      ok: [0, 128],
    },
  );
  await rm(join(folder, 'index'), { force: true });
  return exitCode === 0;
}

/** Pieces that file systems, git and shells read in ways of their own. */
const PIECE = fc.constantFrom(
  '.',
  'git',
  'GIT',
  '.git',
  '~1',
  '\u200c',
  '\ufeff',
  ' ',
  ':',
  '/',
  '\\',
  'a',
  'é',
  '..',
  '\u0131',
  'modules',
  '-',
);

test('whatever git refuses as the path of a file is refused', async () => {
  const paths = fc.array(PIECE, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      if (accepts(path)) expect(await gitAccepts(path), path).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test.each([
  'a',
  'a/b.c',
  '-rf',
  ':(glob)**',
  '__proto__',
  '.gitignore',
  '.github/x',
  'git',
  'naïve/é',
  'a b',
  '...',
  'a~1',
])('%j is a name like any other', async (path) => {
  expect(accepts(path)).toBe(true);
  expect(await gitAccepts(path)).toBe(true);
});

test.each([
  ...[
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    'a/..',
    '.git',
    'a/.GiT/b',
    '.git ',
    '.git...',
    '.git::$DATA',
    '.g\u200cit',
  ],
  ...['git~1', 'GIT~2/x', 'a\\b', 'a\nb', 'a\0', '.gitmodules', 'a/.GITMODULES ', 'gitmod~1', 'a\ud800'],
  ...['x'.repeat(256), 'é'.repeat(128), `${'a/'.repeat(512)}b`],
])('%j is refused', (path) => {
  expect(accepts(path)).toBe(false);
});
