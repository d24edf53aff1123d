import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { accusationProbability, divideSuspects } from './accused-commits.ts';
import { followRenames } from './history/renames.ts';

type Input = Parameters<typeof divideSuspects>[0];

const PARSER = 'src/parser.js';
let repository: TestRepository;
let index: RepositoryIndex;
/** Numbers of the commits. */
let parser: number;
let server: number;
let release: number;
let revertOfFix: number;
let revertOfRemoval: number;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Parse values', files: { 'src/parse.js': 'export const parse = 1;\n' } });
    await repo.rename('src/parse.js', PARSER, { message: 'Rename the parser' });
    await repo.commit({ message: 'Serve values', files: { 'src/server.js': 'export const serve = 1;\n' } });
    for (const subject of ['Fix the cache', 'Drop the cache']) {
      const undone = await repo.commit({ message: subject, files: { [PARSER]: `${subject}\n` } });
      const message = `Revert "${subject}"\n\nThis reverts commit ${undone}.`;
      await repo.commit({ message, files: { [PARSER]: 'export const parse = 1;\n' } });
    }
    await repo.commit({
      message: 'build v1.2.0 [skip ci]',
      files: { [PARSER]: 'export const parse = 2;\n' },
    });
  });
  index = await indexRepository(repository.path, 'main');
  const numbers = new Map(
    Array.from({ length: index.commits.count }, (_, commit) => [index.commits.subject(commit), commit]),
  );
  parser = numbers.get('Parse values')!;
  server = numbers.get('Serve values')!;
  release = numbers.get('build v1.2.0 [skip ci]')!;
  revertOfFix = numbers.get('Revert "Fix the cache"')!;
  revertOfRemoval = numbers.get('Revert "Drop the cache"')!;
});
afterAll(() => repository.remove());

/** Divides suspects with the given scores, of a defect whose innermost frame is in the parser, on a line that they added. */
function divide(suspects: [commit: number, score: number][], other: Partial<Input> = {}) {
  const { accused, related } = divideSuspects({
    ...{
      kind: 'regression',
      confidence: { abstained: false },
      causeConfidence: 0.8,
      faultProbability: 0.95,
      failsToLoad: false,
      guard: null,
      guardCommit: null,
    },
    trace: { message: "'NoneType' object is not subscriptable", frames: [], lines: [] },
    suspects: suspects.map(([commit, score]) => ({ commit, score, blame: null, hunk: null })),
    places: [{ path: PARSER }],
    frames: [{ path: PARSER, line: 1, depth: 0, quote: FAILING }],
    diffs: diffsOf(suspects.map(([commit]) => commit)),
    ...{ origins: [], renames: followRenames([PARSER], index.commits), index },
    ...other,
  } as unknown as Input);
  return [accused, related].map((list) => list.map(({ commit }) => commit));
}

const FAILING = 'return values[name]';

/** Changes of the parser that add the failing line, and delete others. */
function diffsOf(commits: number[], ...deleted: string[]) {
  const lines = [...deleted.map((text) => ({ kind: 'delete', text })), { kind: 'add', text: FAILING }];
  const files = [{ old_path: PARSER, new_path: PARSER, hunks: [{ lines }] }];
  return new Map(commits.map((commit) => [index.commits.oid(commit), files])) as unknown as Input['diffs'];
}

test('a commit that changed the failing file under an earlier path is accused, with those nearly as likely', () => {
  expect(divide([[parser, 0.9]])).toEqual([[parser], []]);
  expect(divide([[parser, 0.9]], { frames: [] })).toEqual([[parser], []]);
});

test('below the threshold a commit is related, and further below not mentioned', () => {
  expect(divide([[parser, 0.9]], { causeConfidence: 0.5 })).toEqual([[], [parser]]);
  expect(divide([[parser, 0.9]], { causeConfidence: 0.2 })).toEqual([[], []]);
  expect(divide([[parser, 0.9]], { kind: 'usage' })).toEqual([[], []]);
});

test.each([
  [0.8, 0.9, true],
  [0.8, 0.85, false],
  [0.65, 1, false],
])('a suspect of %s for a defect of %s is accused: %s', (causeConfidence, faultProbability, isAccused) => {
  const [accused] = divide([[parser, 0.9]], { causeConfidence, faultProbability });
  expect(accused).toEqual(isAccused ? [parser] : []);
});

test.each([
  [200, 400, true],
  [201, 30, true],
  [201, 31, false],
])('a commit with %i newer ones, %i days old, is accused: %s', (newer, days, isAccused) => {
  const commits = {
    time: (commit: number) => (commit === 0 ? 86_400 * days : 0),
    oid: () => index.commits.oid(parser),
    subject: () => index.commits.subject(parser),
    message: () => index.commits.message(parser),
    paths: () => index.commits.paths(parser),
    pathNumber: (path: string) => index.commits.pathNumber(path),
  };
  const old = { index: { ...index, commits } as unknown as RepositoryIndex, diffs: diffsOf([parser]) };
  expect(divide([[newer, 0.9]], old)).toEqual(isAccused ? [[newer], []] : [[], [newer]]);
});

test('no commit is accused of what its author must have met', () => {
  expect(divide([[parser, 0.9]], { failsToLoad: true })).toEqual([[], [parser]]);
});

test('an accusation is stated lower than the product of its probabilities', () => {
  expect(accusationProbability(0.8, 1)).toBeCloseTo(0.665, 3);
  expect(accusationProbability(0, 1)).toBe(0);
});

test('a release, a change of another file and the commit of a guard are not accused', () => {
  expect(divide([[release, 0.9]])).toEqual([[], []]);
  expect(divide([[server, 0.9]])).toEqual([[], []]);
  const guard = { isInvariant: false } as Input['guard'];
  expect(divide([[parser, 0.9]], { guard, guardCommit: parser })).toEqual([[], []]);
  expect(divide([[server, 0.9]], { frames: [] })).toEqual([[server], []]);
});

test('a commit is accused where it added what failed, else it is related', () => {
  const accused = (other: Partial<Input>) => divide([[parser, 0.9]], other);
  expect(accused({ diffs: diffsOf([parser], 'return name') })).toEqual([[parser], []]);
  expect(accused({ diffs: diffsOf([parser], 'return values[key]') })).toEqual([[], [parser]]);
  expect(accused({ diffs: new Map() })).toEqual([[], [parser]]);
  // Without a frame, the line that words the message must be new.
  const origins = [{ path: PARSER, quote: FAILING, share: 1 }] as unknown as Input['origins'];
  const diffs = diffsOf([parser], 'return values[key]');
  expect(accused({ frames: [], origins, diffs })).toEqual([[], [parser]]);
  // Where a caller's own code failed, nothing tells what failed in the project.
  expect(accused({ frames: [], isInCaller: true })).toEqual([[], [parser]]);
  const blame = { path: 'src/server.js', isExactLine: true };
  const suspects = [{ commit: parser, score: 0.9, blame }] as unknown as Input['suspects'];
  expect(accused({ suspects })).toEqual([[], [parser]]);
});

test('a revert is accused of what a fix had repaired, and of nothing else that it restored', () => {
  expect(divide([[revertOfFix, 0.9]])).toEqual([[revertOfFix], []]);
  expect(divide([[revertOfRemoval, 0.9]])).toEqual([[], [revertOfRemoval]]);
  const diffs = diffsOf([revertOfRemoval], 'if (!values) return undefined;');
  expect(divide([[revertOfRemoval, 0.9]], { diffs })).toEqual([[revertOfRemoval], []]);
});

test('a commit that moved the failing line from another file is not accused', () => {
  const [[hash, files]] = [...diffsOf([parser])] as [[string, object[]]];
  const other = { old_path: 'src/server.js', new_path: 'src/server.js' };
  const moved = [{ lines: [{ kind: 'delete', text: `  ${FAILING}` }] }];
  const from = (hunks: object[]) => new Map([[hash, [...files, { ...other, hunks }]]]) as never;
  expect(divide([[parser, 0.9]], { diffs: from(moved) })).toEqual([[], [parser]]);
  expect(divide([[parser, 0.9]], { diffs: from([]) })).toEqual([[parser], []]);
});
