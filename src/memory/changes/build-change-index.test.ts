import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { parseDiff } from '#git/diff.ts';
import { git } from '#git/run.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { killAfterOutput } from '../testing.ts';
import { buildChangeIndex } from './build-change-index.ts';
import { type ChangeIndex, closeChangeIndex, openChangeIndex } from './change-index.ts';
import { END_OF_POSTINGS, HunkCursor } from './hunk-postings.ts';
import { readManifest } from './manifest.ts';
import { pathKey } from './term-keys.ts';
import { type ChangedLine, findTermChanges, listChangedLines, listLostLines } from './testing.ts';

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanups) await clean();
});

async function repository(steps: (repo: TestRepository) => Promise<void>, format?: 'sha1' | 'sha256') {
  const repo = await buildRepository(steps, format && { objectFormat: format });
  cleanups.push(() => repo.remove());
  return repo;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-hunks-'));
  cleanups.push(() => {
    closeChangeIndex(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function build(repo: TestRepository, directory = temporaryFolder()): Promise<ChangeIndex> {
  const progress: [number, number][] = [];
  const listener = {
    onProgress: (done: number, total: number) => progress.push([done, total]),
    signal: new AbortController().signal,
  };
  await buildChangeIndex({ repo: repo.path, revision: await repo.head(), directory }, listener);
  for (const [done, total] of progress) expect(done).toBeLessThanOrEqual(total);
  return openChangeIndex(directory)!;
}

/** Holds every posting against the lines that changed, and every line against the postings. */
function compare(hunks: ChangeIndex, lines: ChangedLine[]): void {
  const wanted = new Set<string>();
  const byFile = Map.groupBy(lines, ({ file, side }) => `${file} ${side}`);
  for (const { file, side, line, terms } of lines)
    for (const key of terms) wanted.add(`${file} ${side} ${line} ${key}`);
  const paths = new Set(lines.map(({ file }) => pathKey(file.slice(file.indexOf(' ') + 1))));
  for (const block of hunks.blocks) {
    for (const { key, hunks: count, postings } of block.terms()) {
      let seen = 0;
      for (const cursor = new HunkCursor(postings); cursor.hunk !== END_OF_POSTINGS; cursor.next(), seen++) {
        const place = block.locate(cursor.hunk);
        if (paths.has(key) || key === pathKey(place.oldPath)) continue;
        for (const side of ['added', 'removed'] as const) {
          if (cursor[side] === 0) continue;
          const [start, length] =
            side === 'added' ? [place.newStart, place.newLines] : [place.oldStart, place.oldLines];
          const file = byFile.get(`${place.oid} ${place.path} ${side}`) ?? [];
          const held = file.filter(
            ({ line, terms }) => line >= start && line < start + length && terms.has(key),
          );
          expect(held.length, `${place.oid} ${place.path} ${side} ${start},${length}`).toBeGreaterThan(0);
          for (const { line } of held) wanted.delete(`${place.oid} ${place.path} ${side} ${line} ${key}`);
        }
      }
      expect(seen).toBe(count);
    }
  }
  expect([...wanted]).toEqual([]);
}

/** Expects stored patches to parse like git's own: only header rows without information are omitted. */
async function comparePatches(hunks: ChangeIndex, repo: TestRepository): Promise<void> {
  const run = (args: string[], revision: string) =>
    git(repo.path, args, { name: 'truth', revisions: [revision] });
  const listed = await run(['rev-list', '--no-merges'], await repo.head());
  for (const oid of listed.stdout.toString().trim().split('\n')) {
    const args = [
      'diff-tree',
      '-r',
      '-p',
      '-M',
      '--root',
      '--no-commit-id',
      '--no-ext-diff',
      '--no-textconv',
    ];
    const { stdout } = await run(args, oid);
    expect(parseDiff(hunks.patch(oid)!), oid).toEqual(parseDiff(stdout));
  }
  expect(hunks.patch('0'.repeat(40))).toBeNull();
}

const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('retry(3)', 'return fooBar_v2', '}', '', '-- gone', '@@ -1 +1 @@', '+++ b/x'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('naïve Größe', '日本語のテキスト', 'diff --git a/x b/x', 'a\tb', '\\ x'),
  },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z]{1,6}$/) },
);
const content = fc
  .record({
    lines: fc.array(line, { maxLength: 90 }),
    end: fc.constantFrom('\n', '\r\n'),
    last: fc.boolean(),
    raw: fc.boolean(),
  })
  .map(({ lines, end, last, raw }) => {
    const text = Buffer.from(lines.map((text) => text + end).join('') + (last ? 'the end' : ''));
    return raw ? Buffer.concat([Buffer.from([0x63, 0xe9, 0x20]), text]) : text;
  });
const path = fc.constantFrom('a.ts', 'b c.md', 'dir/ö.txt', 'odd"\t.py', 'package-lock.json');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path, content }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), path, word: fc.stringMatching(/^[a-z]{3}$/) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(repo: TestRepository, steps: Step[]): Promise<void> {
  const files = new Map<string, Buffer>();
  await repo.commit({ files: { 'first.txt': 'hello\n' } });
  let count = 0;
  for (const todo of steps) {
    count++;
    if (todo.kind === 'merge') {
      await repo.branch(`side${count}`);
      await repo.commit({ files: { [`side${count}.c`]: `int side${count};\n` } });
      await repo.switch('main');
      await repo.commit({ files: { [`main${count}.c`]: `int main${count};\n` } });
      await repo.merge(`side${count}`);
      continue;
    }
    const known = files.get(todo.path);
    if (todo.kind === 'write') {
      files.set(todo.path, todo.content);
      await repo.commit({ files: { [todo.path]: todo.content }, message: `step ${count}` });
    } else if (known && todo.kind === 'edit') {
      const middle = known.indexOf(10, known.length / 2) + 1;
      const edited = Buffer.concat([
        known.subarray(0, middle),
        Buffer.from(`${todo.word}\n`),
        known.subarray(middle),
      ]);
      files.set(todo.path, edited);
      await repo.commit({ files: { [todo.path]: edited } });
    } else if (known && todo.kind === 'remove') {
      files.delete(todo.path);
      await repo.commit({ files: { [todo.path]: null } });
    } else if (known && todo.kind === 'rename') {
      files.delete(todo.path);
      files.set(`${count}-${todo.path}`, known);
      const changed = Buffer.concat([known, Buffer.from(`\nmoved${count}\n`)]);
      await repo.commit({ files: { [todo.path]: null, [`${count}-${todo.path}`]: changed } });
    }
  }
}

test('the hunks of any history equal those of git log -p, also after refreshes', async () => {
  const steps = fc.array(step, { minLength: 2, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const directory = temporaryFolder();
      const repo = await repository((repo) => play(repo, before));
      compare(await build(repo, directory), await listChangedLines(repo));
      await repo.branch('later');
      await play(repo, after);
      const hunks = await build(repo, directory);
      const lines = await listChangedLines(repo);
      compare(hunks, lines);
      expect(listLostLines(hunks, lines)).toEqual([]);
      await comparePatches(hunks, repo);
    }),
    { numRuns: 8 },
  );
}, 180_000);

test('a refresh indexes new commits only, and blocks of one tier are merged', async () => {
  const repo = await repository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'export const first = 1;\n' } });
  }, 'sha256');
  const directory = temporaryFolder();
  for (let i = 0; i < 6; i++) {
    await repo.commit({ files: { 'a.ts': `export const step${i} = common;\n` } });
    const hunks = await build(repo, directory);
    expect(hunks.commits).toBe(i + 2);
    expect(findTermChanges(hunks, 'common').filter((place) => place.endsWith(' added'))).toHaveLength(i + 1);
  }
  const { blocks, head } = readManifest(directory)!;
  expect(head).toBe(await repo.head());
  expect(blocks.length).toBeLessThan(4);
  expect(readdirSync(directory).sort()).toEqual(['MANIFEST', ...blocks.map(({ name }) => name)].sort());
  const before = readFileSync(join(directory, 'MANIFEST'), 'utf8');
  await build(repo, directory);
  expect(readFileSync(join(directory, 'MANIFEST'), 'utf8')).toBe(before);
});

test('large, long, generated and binary changes are indexed in part and counted', async () => {
  const repo = await repository(async (repo) => {
    await repo.commit({
      files: {
        'big.txt': `${'needle hay\n'.repeat(60_000)}lastword\n`,
        'long.txt': `start ${'x '.repeat(3000)} beyond\n`,
        'yarn.lock': `locked\n${'filler entry\n'.repeat(3000)}lastlock\n`,
        'image.bin': Buffer.from([0, 1, 2, 3]),
      },
    });
  });
  const hunks = await build(repo);
  expect(hunks.skipCounts).toEqual({ too_large: 1, long_lines: 1, generated: 1, binary: 1 });
  expect(findTermChanges(hunks, 'start')).toHaveLength(1);
  expect(findTermChanges(hunks, 'locked'.slice(0, 4))).toHaveLength(1);
  for (const word of ['beyond', 'lastword', 'lastlock']) expect(findTermChanges(hunks, word)).toEqual([]);
});

test('a commit that git cannot read is skipped and counted, all others are indexed', async () => {
  const rows = (word: string) => `${Array.from({ length: 30 }, (_, i) => `row${i}`).join('\n')}\n${word}\n`;
  const repo = await repository(async (repo) => {
    for (let i = 0; i < 3; i++) await repo.commit({ files: { [`alpha${i}.c`]: `int alpha = ${i};\n` } });
    await repo.commit({ files: { 'a.txt': rows('lost') } });
    await repo.commit({ files: { 'a.txt': rows('found') } });
    for (let i = 0; i < 3; i++) await repo.commit({ files: { [`omega${i}.c`]: `int omega = ${i};\n` } });
  });
  const { stdout } = await git(repo.path, ['hash-object', '--stdin'], {
    name: 'test',
    input: rows('lost'),
  });
  const lost = stdout.toString().trim();
  await rm(join(repo.path, 'objects', lost.slice(0, 2), lost.slice(2)));
  const hunks = await build(repo);
  expect(hunks.commits).toBe(8);
  expect(findTermChanges(hunks, 'alpha')).toHaveLength(3);
  expect(findTermChanges(hunks, 'omega')).toHaveLength(3);
  expect(findTermChanges(hunks, 'lost')).toEqual([]);
  expect(hunks.skipCounts.unreadable).toBe(2);
});

test('a damaged block is detected on reading, and rebuilt by the next build', async () => {
  const repo = await repository(async (repo) => {
    for (let i = 0; i < 5; i++) await repo.commit({ files: { [`f${i}.c`]: `int answer = ${i};\n` } });
  });
  const directory = temporaryFolder();
  const places = findTermChanges(await build(repo, directory), 'answer');
  expect(places).toHaveLength(5);
  const file = join(directory, readManifest(directory)!.blocks[0]!.name);
  const whole = readFileSync(file);
  for (const damage of [whole.length - 30, 10, whole.length >> 1]) {
    closeChangeIndex(directory);
    const damaged = Buffer.from(whole);
    damaged[damage]! ^= 0x40;
    writeFileSync(file, damaged);
    const read = () => findTermChanges(openChangeIndex(directory)!, 'answer');
    expect(read).toThrow(expect.objectContaining({ code: 'index_rebuilding' }));
  }
  closeChangeIndex(directory);
  expect(findTermChanges(await build(repo, directory), 'answer')).toEqual(places);
  expect(readdirSync(directory)).toHaveLength(2);
});

test('indexes the new history after a force push', async () => {
  const repo = await repository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'one\n' } });
    await repo.branch('other');
    await repo.commit({ files: { 'a.ts': 'elsewhere\n' } });
    await repo.switch('main');
    await repo.commit({ files: { 'a.ts': 'gone\n' } });
  });
  const directory = temporaryFolder();
  await build(repo, directory);
  await repo.switch('other');
  expect(findTermChanges(await build(repo, directory), 'elsewher')).toHaveLength(1);
});

test('the next build after kill -9 resumes from the finished blocks', async () => {
  const repo = await repository(async (repo) => {
    const content = (commit: number) =>
      Array.from({ length: 6000 }, (_, i) => (i % 10 === 0 ? `int v${commit}_${i};\n` : '\n')).join('');
    for (let i = 0; i < 12; i++) await repo.commit({ files: { 'a.c': content(i) } });
  });
  const directory = temporaryFolder();
  const task = { repo: repo.path, revision: await repo.head(), directory };
  const program = `
    import { existsSync } from 'node:fs';
    import { buildChangeIndex } from ${JSON.stringify(new URL('./build-change-index.ts', import.meta.url))};
    import { readManifest } from ${JSON.stringify(new URL('./manifest.ts', import.meta.url))};
    const task = ${JSON.stringify(task)};
    await buildChangeIndex(task, {
      onProgress() {
        if (readManifest(task.directory).blocks.length === 0) return;
        process.stdout.write('one block\\n');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      },
      signal: new AbortController().signal,
    });`;
  await killAfterOutput(program);
  const left = readManifest(directory)!;
  expect(left.head).toBeNull();
  expect(left.blocks).toHaveLength(1);
  const done = openChangeIndex(directory)!;
  expect(done.commits).toBeLessThan(done.total);
  expect(done.total).toBe(12);
  const first: number[] = [];
  await buildChangeIndex(task, {
    onProgress: (now) => first.push(now),
    signal: new AbortController().signal,
  });
  expect(first[0]).toBeGreaterThanOrEqual(left.blocks[0]!.commits);
  const hunks = openChangeIndex(directory)!;
  expect([hunks.commits, hunks.total]).toEqual([12, 12]);
  expect(findTermChanges(hunks, 'int')).toEqual(findTermChanges(await build(repo), 'int'));
}, 60_000);
