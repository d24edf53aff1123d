import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Activity } from '#contract/projects.ts';
import { git } from '#git/run.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '../repository-index.ts';
import { indexRepository, killAfterOutput } from '../testing.ts';
import { dump } from '../testing-dump.ts';
import { buildIndex } from './build-index.ts';
import { openIndex, readGeneration } from './generation-reader.ts';

type BuildIndexOptions = Parameters<typeof buildIndex>[0];

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanups) await clean();
});

async function repository(
  steps: (repo: TestRepository) => Promise<void>,
  format: 'sha1' | 'sha256' = 'sha1',
) {
  const repo = await buildRepository(steps, { objectFormat: format });
  cleanups.push(() => repo.remove());
  return repo;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-shard-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function run(repo: TestRepository, directory: string, more: Partial<BuildIndexOptions> = {}) {
  const generations: { name: string; phase: string }[] = [];
  const activities: Activity[] = [];
  const result = await buildIndex({
    repo: repo.path,
    revision: await repo.head(),
    directory,
    previous: null,
    inStages: true,
    limits: { maxFileBytes: 10_000, maxEntries: 1000 },
    onProgress: (activity) => activities.push(activity),
    onGeneration: async (generation) => {
      generations.push(generation);
    },
    signal: new AbortController().signal,
    ...more,
  });
  return { ...result, generations, activities, name: generations.at(-1)!.name };
}

const postings = (index: RepositoryIndex, field: 'body' | 'symbol' | 'prose', term: string) => [
  ...(index.code!.field(field).postings(term)?.docs ?? []),
];

test.each(['sha1', 'sha256'] as const)(
  'indexes commits with paths, names and parents (%s)',
  async (format) => {
    const repo = await repository(async (repo) => {
      await repo.commit({
        files: { 'a.txt': 'one\n' },
        message: 'Add the parser\nof words\n\nBecause.',
        author: 'Grace Hopper',
      });
      await repo.rename('a.txt', 'lib/b.txt');
      await repo.branch('side');
      await repo.commit({ files: { 'c.txt': 'c\n' }, message: 'Side' });
      await repo.switch('main');
      await repo.commit({ files: { 'd.txt': 'd\n', 'lib/b.txt': null }, message: 'Main' });
      await repo.merge('side', { message: 'Merge side' });
    }, format);
    const { commits, revision } = await indexRepository(repo.path, 'main');
    expect(revision).toBe(await repo.head());
    expect(commits.count).toBe(5);
    expect(commits.oid(0)).toBe(await repo.head());
    expect(commits.subject(0)).toBe('Merge side');
    expect(commits.parents(0).map(commits.subject).sort()).toEqual(['Main', 'Side']);
    expect([...commits.paths(0)]).toEqual([]);
    const [renamed, first] = [3, 4];
    expect(commits.subject(first)).toBe('Add the parser of words');
    expect(commits.message(first)).toMatch(/^Add the parser\nof words\n\nBecause\.\s*$/);
    expect([commits.author(first), commits.email(first)]).toEqual(['Grace Hopper', 'grace@example.org']);
    expect(commits.time(first)).toBe(Date.UTC(2024, 0, 1, 1) / 1000);
    expect(commits.statuses(renamed)).toBe('R');
    expect([...commits.paths(renamed)].map(commits.path)).toEqual(['lib/b.txt']);
    expect([...commits.oldPaths(renamed)].map(commits.path)).toEqual(['a.txt']);
    const touching = [...commits.touching(commits.pathNumber('lib/b.txt'))];
    expect(touching.map(commits.subject)).toEqual(['Main', commits.subject(renamed)]);
    expect(commits.pathNumber('nowhere')).toBe(-1);
    for (let commit = 0; commit < 5; commit++) {
      expect(commits.find(commits.oid(commit))).toBe(commit);
      expect(commits.find(commits.oid(commit).slice(0, 11))).toBe(commit);
    }
    expect(commits.find(commits.oid(0).slice(0, 6))).toBe(-1);
    expect(commits.find('0'.repeat(40))).toBe(-1);
    expect([...commits.messages.postings('parser')!.docs]).toEqual([first]);
    expect(commits.messages.postings('nothing')).toBeNull();
  },
);

test('indexes code by blob, so that one content at two paths is chunked once', async () => {
  const text = '# Opens the door.\ndef open_door(key):\n    return "welcome" + key\n';
  const repo = await repository(async (repo) => {
    await repo.commit({ files: { 'a.py': text, 'b/copy.py': text, 'c.py': 'x = 1\n', 'empty.py': '' } });
  });
  const index = await indexRepository(repo.path);
  const code = index.code!;
  expect(code.fileCount).toBe(4);
  expect(code.passageCount).toBe(2);
  const [a, copy] = [code.fileNumber('a.py'), code.fileNumber('b/copy.py')];
  expect(code.filePassages(a)).toEqual(code.filePassages(copy));
  const passage = code.filePassages(a).first;
  expect(code.passageFiles(passage)).toEqual([a, copy]);
  expect(code.passageLines(passage)).toEqual({ start: 1, end: 3 });
  expect(code.passageSymbol(passage)).toBe('open_door');
  expect(code.passagesDefining('OPEN_DOOR')).toEqual([passage]);
  expect(code.passagesDefining('toString')).toEqual([]);
  expect(code.fileLanguage(copy)).toBe('python');
  expect(code.fileLines(copy)).toBe(3);
  expect(code.filePassages(code.fileNumber('empty.py')).count).toBe(0);
  expect(code.field('body').postings('key')).toEqual({
    docs: Uint32Array.of(passage),
    counts: Uint8Array.of(2),
  });
  expect(code.field('body').lengths).toHaveLength(code.passageCount);
  expect(code.field('prose').averageLength).toBe(4 / 2);
  expect(postings(index, 'prose', 'welcom')).toEqual([passage]);
  expect(postings(index, 'body', 'welcom')).toEqual([]);
  expect(postings(index, 'symbol', 'door')).toEqual([passage]);
  expect([...code.files.postings('welcom')!.docs]).toEqual([a, copy]);
  expect([...code.paths.postings('copy')!.docs]).toEqual([copy]);
});

test('skipped files are counted and listed with their reasons, whatever the tree contains', async () => {
  const repo = await repository(async (repo) => {
    await repo.commit({
      files: {
        'ok.txt': 'fine\n',
        'latin.txt': Buffer.from('caf\xe9 is a word in an old encoding\n', 'latin1'),
        'image.png': Buffer.from([137, 80, 0, 1]),
        'noise.dat': Buffer.from(Array.from({ length: 500 }, (_, i) => 128 + (i % 120))),
        'huge.txt': 'x\n'.repeat(6000),
        'long.sh': 'x\n'.repeat(6000),
        'huge.sh': 'x\n'.repeat(21_000),
        'package-lock.json': '{}',
        'dist/app.min.js': 'x',
        'minified.js': `${'a();'.repeat(2000)}\n`,
        'made.go': '// Code generated by a tool. DO NOT EDIT.\npackage a\n',
        'node_modules/x/index.js': 'x\n',
        ':(glob)**': 'odd\n',
        '-rf': 'odd\n',
        'tab\t"quote"\nline': 'odd\n',
        constructor: 'odd\n',
        __proto__x: 'odd\n',
      },
      rawPaths: [[Buffer.from('caf\xe9', 'latin1'), 'bad\n']],
    });
  });
  const { stdout: tree } = await git(repo.path, ['ls-tree', '-z', 'main'], { name: 'ls-tree' });
  const link = await git(repo.path, ['hash-object', '-w', '--stdin'], {
    name: 'hash-object',
    input: '/etc/passwd',
  });
  const entries = `120000 blob ${link.stdout.toString().trim()}\tlink\x00160000 commit ${await repo.head()}\tmodule\x00`;
  const input = Buffer.concat([tree, Buffer.from(entries)]);
  const made = await git(repo.path, ['mktree', '-z'], { name: 'mktree', input });
  const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'A'],
    [`GIT_${role}_EMAIL`, 'a@b.c'],
  ]);
  const commit = await git(repo.path, ['commit-tree', '-m', 'odd', made.stdout.toString().trim()], {
    name: 'commit-tree',
    env: Object.fromEntries(who),
  });

  const directory = temporaryFolder();
  const { coverage, name } = await run(repo, directory, { revision: commit.stdout.toString().trim() });
  expect(coverage.reasons).toEqual({
    binary: 2,
    too_large: 2,
    generated: 4,
    vendored: 1,
    symlink: 1,
    submodule: 1,
    invalid_path: 1,
  });
  expect(coverage).toMatchObject({ files: 20, indexed: 8, skipped: 12, commits: 1 });
  const code = openIndex(await readGeneration(directory, name)).code!;
  expect(code.fileCount).toBe(coverage.indexed);
  expect(code.skippedCount).toBe(coverage.skipped);
  const skipped = Array.from({ length: code.skippedCount }, (_, i) => code.skipped(i));
  expect(skipped).toContainEqual({ path: 'huge.txt', reason: 'too_large', size: 12_000 });
  expect(skipped).toContainEqual({ path: 'huge.sh', reason: 'too_large', size: 42_000 });
  expect(code.fileNumber('long.sh')).toBeGreaterThanOrEqual(0);
  expect(skipped).toContainEqual({ path: 'module', reason: 'submodule', size: null });
  expect(code.fileNumber('tab\t"quote"\nline')).toBeGreaterThanOrEqual(0);

  const capped = await run(repo, temporaryFolder(), { limits: { maxFileBytes: 10_000, maxEntries: 4 } });
  expect(capped.coverage).toMatchObject({ files: 18, indexed: expect.any(Number) });
  expect(capped.coverage.reasons.over_limit).toBeGreaterThan(5);
  expect(capped.coverage.indexed + capped.coverage.skipped).toBe(18);
});

test('publishes history first, and a refresh equals a fresh build', async () => {
  const repo = await repository(async (repo) => {
    for (let i = 0; i < 8; i++)
      await repo.commit({ files: { [`f${i % 5}.ts`]: `export const v${i} = ${i};\n` } });
  });
  const directory = temporaryFolder();
  const first = await run(repo, directory);
  expect(first.generations.map(({ phase }) => phase)).toEqual(['commits', 'passages']);
  expect(openIndex(await readGeneration(directory, first.generations[0]!.name)).code).toBeNull();
  expect(new Set(first.activities.map(({ phase }) => phase))).toContain('commits');

  await repo.commit({ files: { 'f1.ts': 'export const changed = 1;\n', 'f2.ts': null } });
  const second = await run(repo, directory, { previous: first.name });
  expect(second.generations.map(({ phase }) => phase)).toEqual(['passages']);
  const elsewhere = temporaryFolder();
  const fresh = await run(repo, elsewhere);
  const [refreshed, built] = [
    openIndex(await readGeneration(directory, second.name)),
    openIndex(await readGeneration(elsewhere, fresh.name)),
  ];
  const vocabulary = ['export', 'const', 'change', 'v1', 'f1', 'ts'];
  expect(dump(refreshed, vocabulary)).toEqual(dump(built, vocabulary));
  expect(second.coverage).toEqual(fresh.coverage);
  expect(openIndex(await readGeneration(directory, first.name)).commits.count).toBe(8);
});

test('an aborted run, a rejected callback and a missing commit leave no files', async () => {
  const repo = await repository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'export const a = 1;\n' } });
  });
  const directory = temporaryFolder();
  const abort = new AbortController();
  const aborted = run(repo, directory, {
    signal: abort.signal,
    onProgress: () => abort.abort(new Error('stopped')),
  });
  await expect(aborted).rejects.toThrow('stopped');
  expect(readdirSync(directory)).toEqual([]);

  const refused = run(repo, directory, {
    previous: 'x',
    onGeneration: () => Promise.reject(new Error('claim lost')),
  });
  await expect(refused).rejects.toThrow('claim lost');
  expect(readdirSync(directory)).toHaveLength(1);

  const missing = run(repo, directory, { revision: 'a'.repeat(40) });
  await expect(missing).rejects.toMatchObject({ name: 'AppError' });
  expect(readdirSync(directory)).toHaveLength(1);
});

test('after kill -9 the previous generation stays usable and the next run cleans up', async () => {
  // Enough to read that there is a middle, also on a fast machine.
  const content = (name: string) =>
    Array.from({ length: 60 }, (_, i) => `export function ${name}_${i}() {\n  return ${i};\n}\n`).join('');
  const files = (name: string) =>
    Array.from({ length: 400 }, (_, file) => [`f${file}.ts`, content(`${name}${file}`)]);
  const repo = await repository(async (repo) => {
    await repo.commit({ files: Object.fromEntries(files('f')) });
  });
  const directory = temporaryFolder();
  const before = await run(repo, directory);
  await repo.commit({ files: Object.fromEntries(files('changed')) });
  const program = `
    import { buildIndex } from ${JSON.stringify(new URL('./build-index.ts', import.meta.url))};
    await buildIndex({
      ...${JSON.stringify({ repo: repo.path, revision: await repo.head(), directory, previous: before.name })},
      limits: { maxFileBytes: 10000, maxEntries: 1000 },
      onProgress: ({ phase }) => phase === 'passages' && process.stdout.write('reading\\n'),
      onGeneration: () => new Promise(() => {}),
      signal: new AbortController().signal,
    });`;
  await killAfterOutput(program);
  expect(readdirSync(directory).some((name) => name.startsWith('.new-'))).toBe(true);
  expect(openIndex(await readGeneration(directory, before.name)).code!.fileCount).toBe(400);

  const after = await run(repo, directory, { previous: before.name });
  expect(readdirSync(directory).filter((name) => name.startsWith('.new-'))).toEqual([]);
  expect(openIndex(await readGeneration(directory, after.name)).code!.fileCount).toBe(400);
});

test('wherever a run is killed, the last published generation stays usable, and the next run reuses it', async () => {
  const repo = await repository(async (repo) => {
    const files = (word: string) =>
      Array.from({ length: 40 }, (_, i) => [`${word}${i}.ts`, `export const ${word}${i} = ${i};\n`]);
    await repo.commit({ files: Object.fromEntries(files('first')) });
    await repo.commit({ files: Object.fromEntries(files('second')) });
  });
  const directory = temporaryFolder();
  let serving = (await run(repo, directory, { revision: await repo.head('main~1') })).name;
  /** Alternates between two revisions until it is killed, and says what it has published. */
  const program = `
    import { writeSync } from 'node:fs';
    import { buildIndex } from ${JSON.stringify(new URL('./build-index.ts', import.meta.url))};
    const heads = ${JSON.stringify([await repo.head(), await repo.head('main~1')])};
    let previous = process.argv[1];
    writeSync(1, previous + '\\n');
    for (let i = 0; ; i++) {
      await buildIndex({
        ...${JSON.stringify({ repo: repo.path, directory })},
        revision: heads[i % 2],
        previous,
        limits: { maxFileBytes: 10000, maxEntries: 1000 },
        onProgress: () => {},
        onGeneration: async ({ name }) => { previous = name; writeSync(1, name + '\\n'); },
        signal: new AbortController().signal,
      });
    }`;
  const kill = async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, serving], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    child.stdout.on('data', (text) => {
      told += text;
    });
    await once(child.stdout, 'data');
    await setTimeout(Math.random() * 1500);
    child.kill('SIGKILL');
    await once(child, 'close');
    serving = told.trim().split('\n').at(-1)!;
  };
  for (let i = 0; i < 6; i++) {
    await kill();
    const index = openIndex(await readGeneration(directory, serving));
    expect(index.code!.fileCount).toBe(index.revision === (await repo.head()) ? 80 : 40);
  }
  const after = await run(repo, directory, { previous: serving });
  expect(openIndex(await readGeneration(directory, after.name)).code!.fileCount).toBe(80);
  expect(readdirSync(directory).filter((name) => name.startsWith('.new-'))).toEqual([]);
}, 120_000);
