import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blame } from './blame.ts';
import { openBlobReader } from './blobs.ts';
import { diffBetween, diffTotals, showCommit } from './diff.ts';
import { grep } from './grep.ts';
import { type LogCommit, log } from './log.ts';
import { isAncestor, resolveCommit } from './refs.ts';
import { git } from './run.ts';
import { buildRepository, type TestRepository } from './testing.ts';
import { countEntries, findEntry, type GitTreeEntry, listTree } from './tree.ts';

const ODD_NAMES = [
  'a file with spaces.ts',
  'línea/日本語.ts',
  'line\nfeed.ts',
  'tab\there.ts',
  'quote"back\\slash.ts',
  '-rf',
  ':(glob)x',
  '__proto__',
  '\u001b[31mred',
];
const NOT_UTF8 = Buffer.from([0x62, 0x61, 0x64, 0xff, 0xfe]);
const SESSION = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

let repo: TestRepository;
const commits: Record<string, string> = {};

beforeAll(async () => {
  repo = await buildRepository(async (building) => {
    commits.first = await building.commit({
      author: 'Ada Lovelace',
      date: '2024-01-02T03:04:05Z',
      message: 'Add the session\n\nWith a body of\ntwo lines.\n',
      files: { 'src/session.ts': SESSION, 'gone.ts': 'gone\n' },
    });
    commits.odd = await building.commit({
      message: 'Add odd names',
      files: Object.fromEntries(ODD_NAMES.map((name) => [name, `content of ${JSON.stringify(name)}\n`])),
      rawPaths: [[NOT_UTF8, 'bad name\n']],
    });
    commits.fix = await building.commit({
      author: 'Grace Hopper',
      email: 'grace@example.org',
      message: 'Fix the third line',
      files: { 'src/session.ts': SESSION.replace('three', 'THREE'), 'gone.ts': null },
    });
    commits.rename = await building.rename('src/session.ts', 'src/länge "x".ts');
    await building.branch('side');
    commits.side = await building.commit({ files: { 'side.bin': Buffer.from([0, 1, 2, 0]) } });
    await building.switch('main');
    commits.main = await building.commit({
      message: ':not a change\n:100644',
      files: { 'main.ts': '-- x\n' },
    });
    commits.merge = await building.merge('side');
    await building.tag('v1.0', commits.fix);
  });
});
afterAll(() => repo.remove());

async function collect(options: Parameters<typeof log>[1]): Promise<LogCommit[]> {
  const found: LogCommit[] = [];
  for await (const commit of log(repo.path, options)) {
    found.push(commit);
  }
  return found;
}

async function hashOf(text: string): Promise<string> {
  const { stdout } = await git(null, ['hash-object', '--stdin'], { name: 'hash-object', input: text });
  return stdout.toString().trim();
}

async function entriesOf(commit: string): Promise<GitTreeEntry[]> {
  const entries: GitTreeEntry[] = [];
  for await (const entry of listTree(repo.path, commit)) {
    entries.push(entry);
  }
  return entries;
}

describe('log', () => {
  test('gives every commit, newest first, children before parents', async () => {
    const found = await collect({ from: commits.merge! });
    const order = ['merge', 'main', 'side', 'rename', 'fix', 'odd', 'first'] as const;
    expect(found.map(({ oid }) => oid)).toEqual(order.map((name) => commits[name]));
  });

  test('reads authors, times, messages and parents', async () => {
    const found = await collect({ from: commits.merge! });
    expect(found.at(-1)).toMatchObject({
      author: 'Ada Lovelace',
      email: 'ada@example.org',
      time: Date.UTC(2024, 0, 2, 3, 4, 5) / 1000,
      committed: Date.UTC(2024, 0, 2, 3, 4, 5) / 1000,
      message: 'Add the session\n\nWith a body of\ntwo lines.\n',
      parents: [],
    });
    expect(found[0]).toMatchObject({ parents: [commits.main, commits.side], changes: [] });
    expect(found[1]!.message.trim()).toBe(':not a change\n:100644');
  });

  test('reads additions, changes, deletions and renames, with any name', async () => {
    const [rename, fix, odd] = (await collect({ from: commits.rename! })) as [
      LogCommit,
      LogCommit,
      LogCommit,
    ];
    expect(rename.changes).toMatchObject([
      { status: 'R', oldPath: 'src/session.ts', path: 'src/länge "x".ts' },
    ]);
    expect(fix.changes).toMatchObject([
      { status: 'D', path: 'gone.ts', oldPath: null },
      { status: 'M', path: 'src/session.ts' },
    ]);
    expect(odd.changes.map(({ path }) => path).sort()).toEqual([...ODD_NAMES, NOT_UTF8.toString()].sort());
    expect(odd.changes.every(({ status, oldPath }) => status === 'A' && oldPath === null)).toBe(true);
  });

  test('reads on where a content is missing, by renames of equal contents', async () => {
    const rows = (last: string) => Array.from({ length: 40 }, (_, i) => `row ${i}\n`).join('') + last;
    const damaged = await buildRepository(async (building) => {
      await building.commit({ files: { 'a.ts': rows('old'), 'b.ts': `${rows('b')}b` } });
      await building.commit({ files: { 'b.ts': null, 'b2.ts': `${rows('b')}B` } });
      await building.commit({ files: { 'a.ts': null, 'a2.ts': rows('new') } });
      await building.rename('a2.ts', 'a3.ts');
    });
    try {
      const lost = await hashOf(rows('old'));
      await rm(join(damaged.path, 'objects', lost.slice(0, 2), lost.slice(2)));
      const found: LogCommit[] = [];
      for await (const commit of log(damaged.path, { from: await damaged.head() })) found.push(commit);
      const changesByCommit = found.map(({ changes }) =>
        changes.map(({ status, oldPath, path }) => [status, oldPath, path].filter(Boolean).join(' ')).sort(),
      );
      expect(changesByCommit).toEqual([
        ['R a2.ts a3.ts'],
        ['A a2.ts', 'D a.ts'],
        ['R b.ts b2.ts'],
        ['A a.ts', 'A b.ts'],
      ]);
    } finally {
      await damaged.remove();
    }
  });

  test('leaves out what `not` reaches', async () => {
    const found = await collect({ from: commits.fix!, not: [commits.first!] });
    expect(found.map(({ oid }) => oid)).toEqual([commits.fix, commits.odd]);
  });

  test('a broken date is NaN, a commit without changes has none', async () => {
    const tree = (await git(repo.path, ['rev-parse'], { name: 'test', revisions: [`${commits.fix}^{tree}`] }))
      .stdout;
    const oddDate = await git(repo.path, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
      name: 'test',
      input: `tree ${tree.toString().trim()}\nparent ${commits.fix}\nauthor A <a@b> soon\ncommitter A <a@b> 1 +0000\n\nhm\n`,
    });
    const [commit] = await collect({ from: oddDate.stdout.toString().trim(), not: [commits.fix!] });
    expect(commit).toMatchObject({ time: Number.NaN, committed: 1, changes: [], message: 'hm\n' });
  });
});

describe('tree and blobs', () => {
  test('lists as many entries as git does, names that are not UTF-8 as null', async () => {
    const entries = await entriesOf(commits.merge!);
    const paths = entries.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set([...ODD_NAMES, null, 'side.bin', 'main.ts', 'src/länge "x".ts']));
    expect(entries.find(({ path }) => path === null)).toMatchObject({ raw: NOT_UTF8, size: 9, type: 'blob' });
    expect(await countEntries(repo.path, commits.merge!, { max: paths.length })).toBe(paths.length);
    await expect(countEntries(repo.path, commits.merge!, { max: paths.length - 1 })).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  test.each(ODD_NAMES)('finds and reads %j', async (path) => {
    const entry = await findEntry(repo.path, commits.merge!, path);
    const blobs = openBlobReader(repo.path);
    expect(await blobs.read(entry!.oid, 1000)).toEqual({
      content: Buffer.from(`content of ${JSON.stringify(path)}\n`),
    });
    blobs.close();
  });

  test('finds folders, and nothing where nothing is', async () => {
    expect(await findEntry(repo.path, commits.first!, 'src')).toMatchObject({ type: 'tree', size: null });
    for (const path of ['nothing', '../x', '/etc/passwd', '', 'src/', ':(glob)**', '*']) {
      expect(await findEntry(repo.path, commits.first!, path)).toBeNull();
    }
  });

  test('answers many reads at once in order, sizes before contents', async () => {
    const entries = await entriesOf(commits.merge!);
    const blobs = openBlobReader(repo.path);
    const wanted = Array.from({ length: 500 }, (_, index) => entries[index % entries.length]!);
    const contents = await Promise.all(wanted.map(({ oid }) => blobs.read(oid, 1000)));
    expect(contents.map((content) => content && 'content' in content && content.content.length)).toEqual(
      wanted.map(({ size }) => size),
    );
    const entry = await findEntry(repo.path, commits.merge!, 'src/länge "x".ts');
    expect(await blobs.read(entry!.oid, 10)).toEqual({ tooLarge: entry!.size });
    expect(await blobs.read('0'.repeat(40), 10)).toBeNull();
    await expect(blobs.read(`${entry!.oid}\ninfo`, 10)).rejects.toMatchObject({
      reason: 'invalid_object_id',
    });
    const pending = blobs.read(entry!.oid, 1000);
    blobs.close();
    await expect(pending).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('blame', () => {
  test('follows lines through the rename to who wrote them', async () => {
    const path = 'src/länge "x".ts';
    const lines = await blame(repo.path, { commit: commits.merge!, path, from: 2, to: 4 });
    expect(lines).toMatchObject([
      { line: 2, oid: commits.first, originalPath: 'src/session.ts', author: 'Ada Lovelace', previous: null },
      { line: 3, oid: commits.fix, author: 'Grace Hopper', summary: 'Fix the third line' },
      { line: 4, oid: commits.first, originalLine: 4, summary: 'Add the session' },
    ]);
    expect(lines[1]!.previous).toEqual({ oid: commits.odd, path: 'src/session.ts' });
  });

  test('gives what there is of a range past the end, and nothing for what is not there', async () => {
    const request = { commit: commits.first!, path: 'gone.ts', from: 1, to: 99 };
    expect(await blame(repo.path, request)).toHaveLength(1);
    expect(await blame(repo.path, { ...request, from: 50 })).toEqual([]);
    expect(await blame(repo.path, { ...request, path: 'never.ts' })).toEqual([]);
  });
});

describe('diff', () => {
  test('shows a change with its lines', async () => {
    const [gone, session] = await showCommit(repo.path, commits.fix!, { context: 1 });
    expect(gone).toMatchObject({ old_path: 'gone.ts', new_path: null });
    expect(session).toEqual({
      old_path: 'src/session.ts',
      new_path: 'src/session.ts',
      binary: false,
      truncated: false,
      hunks: [
        {
          old_start: 2,
          old_lines: 3,
          new_start: 2,
          new_lines: 3,
          header: 'one',
          lines: [
            { kind: 'context', text: 'two' },
            { kind: 'delete', text: 'three' },
            { kind: 'add', text: 'THREE' },
            { kind: 'context', text: 'four' },
          ],
        },
      ],
    });
  });

  test('shows a root, a rename, a merge against its first parent, a binary file, odd names', async () => {
    const byPath = async (oid: string) =>
      (await showCommit(repo.path, oid)).map((file) => [file.old_path, file.new_path]);
    expect(await byPath(commits.first!)).toEqual([
      [null, 'gone.ts'],
      [null, 'src/session.ts'],
    ]);
    expect(await byPath(commits.rename!)).toEqual([['src/session.ts', 'src/länge "x".ts']]);
    expect(await diffTotals(repo.path, [commits.fix!, commits.rename!], {})).toEqual({
      files: 1,
      added: 0,
      deleted: 0,
    });
    expect(await showCommit(repo.path, commits.merge!)).toMatchObject([
      { old_path: null, new_path: 'side.bin', binary: true, hunks: [] },
    ]);
    const odd = (await byPath(commits.odd!)).map(([, path]) => path);
    expect(new Set(odd)).toEqual(new Set([...ODD_NAMES, NOT_UTF8.toString()]));
  });

  test('between two commits, of some paths, up to a cap', async () => {
    const all = await diffBetween(repo.path, commits.first!, commits.merge!);
    expect(all.length).toBeGreaterThan(10);
    const some = await diffBetween(repo.path, commits.first!, commits.merge!, { paths: ['-rf'] });
    expect(some.map((file) => file.new_path)).toEqual(['-rf']);
    const capped = await diffBetween(repo.path, commits.first!, commits.merge!, { maxBytes: 500 });
    expect(capped.length).toBeLessThan(all.length);
    expect(capped.map((file) => file.truncated).at(-1)).toBe(true);
  });
});

describe('grep', () => {
  const limits = { maxMatches: 100, timeoutMs: 20_000 };

  test('finds literal texts in any name', async () => {
    expect(await grep(repo.path, commits.merge!, { fixed: ['THREE', '-- x'] }, limits)).toEqual([
      { path: 'main.ts', line: 1, text: '-- x' },
      { path: 'src/länge "x".ts', line: 3, text: 'THREE' },
    ]);
    const odd = await grep(repo.path, commits.merge!, { fixed: ['content of'] }, limits);
    expect(new Set(odd.map(({ path }) => path))).toEqual(new Set(ODD_NAMES));
  });

  test('finds regular expressions, refuses broken ones, stops at the cap', async () => {
    expect(await grep(repo.path, commits.first!, { regex: '^f(our|ive)$' }, limits)).toHaveLength(2);
    await expect(grep(repo.path, commits.first!, { regex: 'f(' }, limits)).rejects.toMatchObject({
      code: 'bad_request',
    });
    expect(await grep(repo.path, commits.first!, { regex: '.' }, { ...limits, maxMatches: 3 })).toHaveLength(
      3,
    );
    expect(await grep(repo.path, commits.first!, { fixed: ['', 'nowhere to be found'] }, limits)).toEqual([]);
  });
});

describe('refs', () => {
  test('resolves branches, tags and hashes to commits, and anything else to null', async () => {
    expect(await resolveCommit(repo.path, 'side')).toBe(commits.side);
    expect(await resolveCommit(repo.path, 'v1.0')).toBe(commits.fix);
    expect(await resolveCommit(repo.path, 'HEAD')).toBe(commits.merge);
    expect(await resolveCommit(repo.path, commits.odd!)).toBe(commits.odd);
    expect(await resolveCommit(repo.path, commits.odd!.slice(0, 9))).toBe(commits.odd);
    for (const ref of ['none', '-x', '--all', '', 'a..b', 'HEAD~1', '0'.repeat(40), 'main@{1}']) {
      expect(await resolveCommit(repo.path, ref)).toBeNull();
    }
  });

  test('knows ancestors', async () => {
    expect(await isAncestor(repo.path, commits.first!, commits.merge!)).toBe(true);
    expect(await isAncestor(repo.path, commits.side!, commits.main!)).toBe(false);
  });
});
