import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Activity } from '#contract/projects.ts';
import { git } from '#git/run.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { bodyOffsetOf, PREAMBLE_BYTES } from '../bytes/container.ts';
import { dump } from '../testing-dump.ts';
import { terms } from '../tokens.ts';
import { buildCode } from './build-code.ts';
import { buildCommits } from './build-commits.ts';
import { CODE_SEGMENT, openIndex, readGeneration } from './generation-reader.ts';
import { indexRevision } from './index-revision.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const clean of cleanups) await clean();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-refresh-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Builds a generation as an indexing thread does, on the generation `previous` or on nothing. */
async function build(
  repo: string,
  revision: string,
  directory: string,
  name: string,
  previous: string | null,
) {
  const folder = join(directory, name);
  await mkdir(folder);
  const limits = { maxFileBytes: 10_000, maxEntries: 1000 };
  const task = { repo, revision, folder, previous: previous && join(directory, previous), limits };
  let commitsRead = 0;
  let filesRead = 0;
  const signal = new AbortController().signal;
  const onProgress = ({ phase, done }: Activity) => {
    if (phase === 'commits') commitsRead = done;
    if (phase === 'passages') filesRead = done;
  };
  const counted = await buildCommits({ ...task, kind: 'commits' }, { signal, onProgress });
  const coverage = await buildCode({ ...task, kind: 'code' }, { signal, onProgress });
  const index = openIndex(await readGeneration(directory, name));
  return { index, coverage: { ...counted, ...coverage }, commitsRead, filesRead };
}

const FILES = Array.from({ length: 30 }, (_, i) => `src/part${i % 3}/file${i}.${['ts', 'py', 'h'][i % 3]}`);
const WORDS = ['parse', 'header', 'cache', 'limit', 'session', 'quota'];
const VOCABULARY = [
  ...new Set(
    terms([...FILES, ...WORDS, 'moved begin step export function return def class merge'].join(' ')),
  ),
];

function content(path: string, words: readonly string[]): string {
  return words
    .map((word, i) =>
      path.endsWith('.py')
        ? `def ${word}_${i}(x):\n    # About ${word}.\n    return x\n`
        : `/** About ${word}. */\nexport function ${word}${i}() {\n  return '${word} ${path.length}';\n}\n`,
    )
    .join('\n');
}

/** A commit for each file, in one go. */
async function begin(repo: TestRepository): Promise<void> {
  const commits = FILES.map((path, i) => {
    const when = `A <a@b.c> ${1_700_000_000 + i * 60} +0000`;
    const text = content(path, [WORDS[i % WORDS.length]!, WORDS[(i * 5) % WORDS.length]!]);
    const message = `Begin ${path}`;
    return `commit refs/heads/main\nauthor ${when}\ncommitter ${when}\ndata ${message.length}\n${message}\nM 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  });
  await git(repo.path, ['fast-import', '--quiet'], { name: 'fast-import', input: commits.join('') });
}

const path = fc.constantFrom(...FILES);
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
/** Dates before and after those of other commits, and equal ones. */
const date = fc.constantFrom('2023-11-14T22:20:00Z', '2023-11-15T00:00:00Z', '2024-02-01T00:00:00Z');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), path, words, date }) },
  fc.record({ kind: fc.constant('delete' as const), path }),
  fc.record({
    kind: fc.constant('rename' as const),
    path,
    to: fc.constantFrom('moved.ts', 'src/moved.py', 'x/a.h'),
  }),
  fc.record({
    kind: fc.constant('copy' as const),
    path,
    to: fc.constantFrom('copy.ts', 'copy.py', 'copy.bin'),
  }),
  fc.record({ kind: fc.constant('merge' as const), path, words, date }),
  fc.record({ kind: fc.constant('force' as const), back: fc.integer({ min: 0, max: 12 }), words, date }),
  fc.record({ kind: fc.constant('back' as const), back: fc.integer({ min: 1, max: 3 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Takes a step in the repository. Impossible ones are left out. */
async function take(repo: TestRepository, step: Step, number: number): Promise<void> {
  const message = `Step ${number}`;
  const entry = async (path: string) =>
    (await git(repo.path, ['ls-tree', await repo.head(), '--', path], { name: 'ls-tree' })).stdout.length > 0;
  if (step.kind === 'edit') {
    const { path, date } = step;
    await repo.commit({ files: { [path]: content(path, step.words) }, message, date });
  } else if (step.kind === 'merge') {
    const base = await repo.head();
    const main = `main${number}`;
    await repo.branch(`side${number}`, base);
    await repo.commit({ files: { [step.path]: content(step.path, step.words) }, message, date: step.date });
    await repo.branch(main, base);
    await repo.commit({ files: { 'notes.txt': `${number}\n` }, message: 'Meanwhile' });
    await repo.merge(`side${number}`);
  } else if (step.kind === 'force' || step.kind === 'back') {
    const { stdout } = await git(repo.path, ['rev-list', `--max-count=${step.back + 1}`, await repo.head()], {
      name: 'rev-list',
    });
    // Another branch is the default from now on.
    await repo.branch(`renamed${number}`, stdout.toString().trim().split('\n').at(-1)!);
    if (step.kind === 'back') return;
    await repo.commit({ files: { 'forced.ts': content('forced.ts', step.words) }, message, date: step.date });
  } else if (await entry(step.path)) {
    if (step.kind === 'delete') await repo.commit({ files: { [step.path]: null }, message });
    if (step.kind === 'rename') await repo.rename(step.path, step.to, { message });
    if (step.kind === 'copy') {
      const { stdout } = await git(repo.path, ['cat-file', 'blob', `${await repo.head()}:${step.path}`], {
        name: 'cat-file',
      });
      await repo.commit({ files: { [step.to]: stdout }, message });
    }
  }
}

test('a refreshed index equals a fresh build, whatever happened in between', async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const directory = await temporaryFolder();
      const repo = await buildRepository(begin);
      try {
        await build(repo.path, await repo.head(), directory, 'g0', null);
        for (const [number, step] of steps.entries()) {
          await take(repo, step, number);
          const head = await repo.head();
          const refreshed = await build(repo.path, head, directory, `g${number + 1}`, `g${number}`);
          const { commits, code } = refreshed.index.shared;
          most = Math.max(most, Math.min(commits.segments.length, code!.segments.length));
          if (number % 2 === 0 && number + 1 < steps.length) continue;
          const whole = await build(repo.path, head, directory, `whole${number}`, null);
          expect(dump(refreshed.index, VOCABULARY)).toEqual(dump(whole.index, VOCABULARY));
          expect(refreshed.coverage).toEqual(whole.coverage);
        }
      } finally {
        await repo.remove();
      }
    }),
    { numRuns: 8 },
  );
  expect(most).toBeGreaterThan(1);
}, 300_000);

test('an index of another revision equals a fresh build of it', async () => {
  const directory = await temporaryFolder();
  const limits = { maxFileBytes: 10_000, maxEntries: 1000 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 5 }), async (steps) => {
      const folder = await mkdtemp(join(directory, 'run-'));
      const repo = await buildRepository(begin);
      try {
        const heads = [await repo.head()];
        for (const [number, step] of steps.entries()) {
          await take(repo, step, number);
          heads.push(await repo.head());
        }
        const middle = heads[heads.length >> 1]!;
        const { index } = await build(repo.path, middle, folder, 'middle', null);
        for (const [i, revision] of [heads[0]!, middle, heads.at(-1)!].entries()) {
          const at = await indexRevision(repo.path, index, revision, { limits });
          const whole = await build(repo.path, revision, folder, `whole${i}`, null);
          expect(dump(at, VOCABULARY)).toEqual(dump(whole.index, VOCABULARY));
          expect(await indexRevision(repo.path, index, revision, { limits })).toBe(at);
          expect(dump(openIndex(at.shared), ['quota'])).toEqual(dump(at, ['quota']));
        }
      } finally {
        await repo.remove();
      }
    }),
    { numRuns: 5 },
  );
}, 300_000);

test('a missing revision is rejected, and can be requested again', async () => {
  const directory = await temporaryFolder();
  const repo = await buildRepository(begin);
  cleanups.push(() => repo.remove());
  const { index } = await build(repo.path, await repo.head(), directory, 'lacking', null);
  const limits = { maxFileBytes: 10_000, maxEntries: 1000 };
  const missing = () => indexRevision(repo.path, index, 'e'.repeat(40), { limits });
  await expect(missing()).rejects.toMatchObject({ name: 'AppError' });
  await expect(missing()).rejects.toMatchObject({ name: 'AppError' });
});

test('a refresh indexes new contents only, and few segments accumulate', async () => {
  const directory = await temporaryFolder();
  const repo = await buildRepository(begin);
  cleanups.push(() => repo.remove());
  await build(repo.path, await repo.head(), directory, 'g0', null);
  for (let i = 0; i < 12; i++) {
    await repo.commit({ files: { [FILES[i]!]: content(FILES[i]!, ['quota', WORDS[i % 6]!, 'cache']) } });
    const { index, commitsRead, filesRead } = await build(
      repo.path,
      await repo.head(),
      directory,
      `g${i + 1}`,
      `g${i}`,
    );
    if (i === 0) expect([commitsRead, filesRead]).toEqual([1, 1]);
    expect(index.shared.code!.segments.length).toBeLessThan(4);
    expect(index.shared.commits.segments.length).toBeLessThan(4);
    expect(index.shared.code!.segments[0]!.name).toMatch(/^code-/);
  }
  const names = await readdir(join(directory, 'g1'));
  const older = await readdir(join(directory, 'g0'));
  expect(older.filter((name) => name.includes('-')).every((name) => names.includes(name))).toBe(true);
});

test('an indexed commit that is gone from the repository, and a damaged generation, cause a full build', async () => {
  const directory = await temporaryFolder();
  const repo = await buildRepository(begin);
  cleanups.push(() => repo.remove());
  const base = await repo.head();
  await repo.commit({ files: { 'lost.ts': content('lost.ts', ['quota']) } });
  await build(repo.path, await repo.head(), directory, 'g0', null);
  await repo.branch('other', base);
  await repo.deleteBranch('main');
  await repo.commit({ files: { 'found.ts': content('found.ts', ['limit']) } });
  await git(repo.path, ['reflog', 'expire', '--expire=now', '--all'], { name: 'reflog' });
  await git(repo.path, ['prune', '--expire=now'], { name: 'prune' });
  await git(repo.path, ['repack', '-adq'], { name: 'repack' });
  const { index } = await build(repo.path, await repo.head(), directory, 'g1', 'g0');
  expect(index.commits.count).toBe(FILES.length + 1);
  expect(index.code!.fileNumber('lost.ts')).toBe(-1);

  for (const file of ['history', 'files']) await rm(join(directory, 'g1', file));
  const again = await build(repo.path, await repo.head(), directory, 'g2', 'g1');
  expect(dump(again.index, VOCABULARY)).toEqual(dump(index, VOCABULARY));
});

test('code of another version of chunking is indexed again, commits are not', async () => {
  const directory = await temporaryFolder();
  const repo = await buildRepository(begin);
  cleanups.push(() => repo.remove());
  const head = await repo.head();
  const { index, filesRead } = await build(repo.path, head, directory, 'g0', null);
  for (const name of await readdir(join(directory, 'g0'))) {
    if (!name.startsWith(CODE_SEGMENT) || name.includes('.')) continue;
    const file = join(directory, 'g0', name);
    await writeFile(file, withKind(await readFile(file), CODE_SEGMENT.replace(/\d/, '0')));
  }
  await expect(readGeneration(directory, 'g0')).rejects.toMatchObject({ code: 'index_rebuilding' });
  const again = await build(repo.path, head, directory, 'g1', 'g0');
  expect([again.commitsRead, again.filesRead]).toEqual([0, filesRead]);
  expect(dump(again.index, VOCABULARY)).toEqual(dump(index, VOCABULARY));
});

/** The bytes of a file of an index, with another kind of the same length in its header. */
function withKind(bytes: Buffer, kind: string): Buffer {
  const header = bytes.subarray(PREAMBLE_BYTES, bodyOffsetOf(bytes));
  header.write(header.toString().replace(CODE_SEGMENT, kind));
  bytes.writeUInt32LE(crc32(header), 16);
  return bytes;
}
