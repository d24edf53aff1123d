import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { listTree } from '#git/tree.ts';
import type { CodeTable, CommitTable, FieldIndex, RepositoryIndex } from '../repository-index.ts';
import { buildSuperset, indexRepository } from '../testing.ts';
import { terms } from '../tokens.ts';
import { openIndex, readGeneration } from './generation-reader.ts';
import { createSnapshot } from './snapshot.ts';

const PATHS = ['a.ts', 'lib/b.ts', 'lib/deep/c.ts', 'd.py', 'notes.txt', 'web/a.ts'];
const WORDS = ['parse', 'header', 'cache', 'limit', 'session', 'quota'];

const path = fc.constantFrom(...PATHS);
const word = fc.constantFrom(...WORDS);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ write: path, words: fc.array(word, { minLength: 1, maxLength: 4 }) }) },
  fc.record({ remove: path }),
  fc.record({ rename: path, to: fc.constantFrom('moved', 'lib/moved', 'other') }),
  fc.record({ side: path, words: fc.array(word, { minLength: 1, maxLength: 3 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Content that the extension decides on: the same words in two languages are two contents. */
function content(at: string, words: readonly string[]): string {
  if (at.endsWith('.py'))
    return words.map((word) => `def ${word}_it(x):\n    # Does ${word}.\n    return x\n`).join('\n');
  if (at.endsWith('.ts'))
    return words
      .map((word) => `/** Does ${word}. */\nexport function ${word}It() {\n  return '${word}';\n}\n`)
      .join('\n');
  return `${words.join(' ')}\n`;
}

/** Carries out the steps that are possible; returns every commit of the main line. */
async function live(repo: TestRepository, steps: readonly Step[]): Promise<string[]> {
  const files = new Set(['a.ts']);
  const heads = [await repo.commit({ files: { 'a.ts': content('a.ts', ['parse']) }, message: 'Begin' })];
  for (const [number, step] of steps.entries()) {
    const message = `Step ${number} ${'words' in step ? step.words.join(' ') : ''}`;
    if ('write' in step) {
      files.add(step.write);
      heads.push(await repo.commit({ message, files: { [step.write]: content(step.write, step.words) } }));
    } else if ('side' in step) {
      await repo.branch(`side${number}`, 'main');
      await repo.commit({ message, files: { [step.side]: content(step.side, step.words) } });
      await repo.switch('main');
      heads.push(await repo.commit({ message: `Meanwhile ${number}`, files: { 'main.txt': `${number}\n` } }));
      heads.push(await repo.merge(`side${number}`));
      files.add(step.side);
    } else if ('rename' in step && files.delete(step.rename)) {
      const to = `${step.to}${extname(step.rename)}`;
      files.add(to);
      heads.push(await repo.rename(step.rename, to, { message }));
    } else if ('remove' in step && files.size > 1 && files.delete(step.remove)) {
      heads.push(await repo.commit({ message, files: { [step.remove]: null } }));
    }
  }
  return heads;
}

async function snapshotOf(repo: string, wide: RepositoryIndex, revision: string) {
  const files: { path: string; oid: string }[] = [];
  for await (const { path, oid } of listTree(repo, revision)) files.push({ path: path!, oid });
  return createSnapshot(wide, revision, files);
}

/** All that a table tells, in names instead of numbers. */
function dumpHistory(commits: CommitTable, vocabulary: string[]) {
  const oids = Array.from({ length: commits.count }, (_, commit) => commits.oid(commit));
  const named = (paths: Uint32Array) => [...paths].map(commits.path);
  return {
    commits: oids.map((oid, commit) => ({
      oid,
      found: [commits.find(oid), commits.find(oid.slice(0, 12))],
      time: commits.time(commit),
      who: [commits.author(commit), commits.email(commit)],
      text: [commits.subject(commit), commits.message(commit)],
      parents: commits.parents(commit).map((parent) => oids[parent]),
      changes: [named(commits.paths(commit)), named(commits.oldPaths(commit)), commits.statuses(commit)],
    })),
    paths: Array.from({ length: commits.pathCount }, (_, path) => ({
      path: commits.path(path),
      number: commits.pathNumber(commits.path(path)),
      touching: [...commits.touching(path)].map((commit) => oids[commit]),
    })),
    absent: [...PATHS, 'moved.ts', 'main.txt'].map((path) => commits.pathNumber(path) >= 0),
    messages: dumpField(commits.messages, oids, vocabulary),
  };
}

function dumpField(field: FieldIndex, names: string[], vocabulary: string[]) {
  const postings = vocabulary.map((term) => {
    const { docs, counts } = field.postings(term) ?? { docs: [], counts: [] };
    expect([...docs]).toEqual([...docs].sort((a, b) => a - b));
    return [term, [...docs].map((document, i) => `${names[document]} ${counts[i]}`).sort()];
  });
  const lengths = names.map((name, document) => `${name} ${field.lengths[document]}`).sort();
  return { count: field.count, average: field.averageLength, lengths, postings };
}

function dumpFiles(code: CodeTable, vocabulary: string[]) {
  const files = Array.from({ length: code.fileCount }, (_, file) => code.filePath(file));
  const placeOf = (passage: number) => {
    const { start, end } = code.passageLines(passage);
    const shown = code
      .passageFiles(passage)
      .map((file) => files[file])
      .sort();
    return `${shown.join()}:${start}-${end}`;
  };
  const places = Array.from({ length: code.passageCount }, (_, passage) => placeOf(passage));
  return {
    files: files
      .map((path, file) => {
        const { first, count } = code.filePassages(file);
        const passages = Array.from({ length: count }, (_, i) => [
          places[first + i],
          code.passageSymbol(first + i),
        ]);
        const same = code.fileNumber(path) === file;
        return {
          path,
          same,
          blob: code.fileBlob(file),
          language: code.fileLanguage(file),
          lines: code.fileLines(file),
          passages,
        };
      })
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    absent: [...PATHS, 'moved.ts'].map((path) => code.fileNumber(path) >= 0),
    defining: WORDS.flatMap((word) => [`${word}It`, `${word}_it`]).map((name) =>
      code
        .passagesDefining(name)
        .map((passage) => places[passage])
        .sort(),
    ),
    fields: (['body', 'symbol', 'prose'] as const).map((field) =>
      dumpField(code.field(field), places, vocabulary),
    ),
    paths: dumpField(code.paths, files, vocabulary),
    wholeFiles: dumpField(code.files, files, vocabulary),
  };
}

const VOCABULARY = [
  ...new Set(
    terms(
      [
        ...PATHS,
        ...WORDS.map((word) => `${word}It ${word}_it`),
        'export function def return Does Begin Step Meanwhile Merge branch side1 side2 moved x main txt',
      ].join(' '),
    ),
  ),
];

test('a snapshot of any revision equals a fresh build of it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hindsight-wide-'));
  let builds = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        let heads: string[] = [];
        const repo = await buildRepository(async (repo) => {
          heads = await live(repo, steps);
        });
        try {
          const build = async (revisions: string[]) => {
            const name = `build${builds++}`;
            await buildSuperset(repo.path, revisions, directory, name);
            return openIndex(await readGeneration(directory, name));
          };
          const wide = await build(heads.toReversed());
          for (const revision of [heads[0]!, heads[heads.length >> 1]!, heads.at(-1)!]) {
            const view = await snapshotOf(repo.path, wide, revision);
            const built = await build([revision]);
            expect(view.missing).toEqual([]);
            expect(view.snapshot.revision).toBe(revision);
            expect(dumpHistory(view.snapshot.commits, VOCABULARY)).toEqual(
              dumpHistory(built.commits, VOCABULARY),
            );
            expect(dumpFiles(view.snapshot.code!, VOCABULARY)).toEqual(dumpFiles(built.code!, VOCABULARY));
          }
        } finally {
          await repo.remove();
        }
      }),
      { numRuns: 5 },
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 120_000);

test('a snapshot finds contents at paths unknown to the superset, and lists missing ones', async () => {
  const repo = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'a.ts': content('a.ts', ['cache']), 'empty.py': '' } });
  });
  const wide = await indexRepository(repo.path);
  const [a, empty] = [wide.code!.fileBlob(0), wide.code!.fileBlob(1)];
  const files = [
    { path: 'x/old.ts', oid: a },
    { path: 'y/older.ts', oid: a },
    { path: 'empty.py', oid: empty },
    { path: 'as.txt', oid: a },
    { path: 'gone.ts', oid: 'f'.repeat(40) },
  ];
  const { snapshot, missing } = createSnapshot(wide, wide.revision, files);
  const code = snapshot.code!;
  expect(missing).toEqual(files.slice(3));
  expect(code.fileCount).toBe(3);
  expect(code.passageCount).toBe(1);
  expect(code.passageFiles(0).map(code.filePath)).toEqual(['x/old.ts', 'y/older.ts']);
  expect([...code.paths.postings('older')!.docs].map(code.filePath)).toEqual(['y/older.ts']);
  expect([...code.files.postings('cach')!.docs].map(code.filePath)).toEqual(['x/old.ts', 'y/older.ts']);
  expect(code.fileNumber('a.ts')).toBe(-1);
  expect(() => snapshot.shared).toThrow('cannot be shared');
  expect(() => createSnapshot(wide, 'e'.repeat(40), [])).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  await repo.remove();
});

test('a prefix that is ambiguous in the superset finds the only visible commit', () => {
  const oids = ['abcdef01', 'abcdef02', 'abcdef13'].map((prefix) => prefix.padEnd(40, '0'));
  const commits = {
    count: 3,
    find: (hash: string) => {
      const found = oids.filter((oid) => oid.startsWith(hash));
      return found.length === 1 ? oids.indexOf(found[0]!) : -1;
    },
    oid: (commit: number) => oids[commit]!,
    parents: (commit: number) => (commit < 2 ? [2] : []),
    paths: () => new Uint32Array(),
    oldPaths: () => new Uint32Array(),
    pathCount: 0,
    messages: { count: 3, averageLength: 1, lengths: Uint32Array.of(1, 1, 1), postings: () => null },
  } as unknown as CommitTable;
  const { commits: view } = createSnapshot({ commits, code: null } as RepositoryIndex, oids[0]!, []).snapshot;
  expect(commits.find('abcdef0')).toBe(-1);
  expect(view.find('abcdef0')).toBe(0);
  expect(view.find(oids[1]!)).toBe(-1);
  expect(view.find('abcdef1')).toBe(1);
});
