import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { linkModules } from './link-modules.ts';
import { linkSubjects } from './link-subjects.ts';

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      message: 'feat(parcels): redesign the parcel scales (#12)',
      files: {
        'lib/is-heavy.js': 'module.exports = (parcel) => parcel.weight > 30;\n',
        'lib/scales.js':
          "const isHeavy = require('./is-heavy');\nexports.check = (parcel) => isHeavy(parcel);\n",
        'depot/parcels/old_scales.py': 'LIMIT = 30\n',
        'test/is-light.js': 'module.exports = () => true;\n',
      },
    });
    await repo.commit({ message: 'Weigh twice', files: { 'lib/scales.js': 'exports.twice = 2;\n' } });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

test.each([
  ['who calls isHeavy?', 'isHeavy', 'symbol'],
  ['what is depot.parcels.old_scales for', 'depot.parcels.old_scales', 'file'],
  ['what is Depot::Parcels::OldScales for', 'Depot::Parcels::OldScales', 'file'],
])('%j names what a file is named like', (text, written, kind) => {
  const [mention] = linkModules(text, index);
  expect(text.slice(...mention!.span)).toBe(written);
  expect(mention!.entity.kind).toBe(kind);
});

test.each(['who calls isLight?', 'is it heavy?', 'what is depot.unknown.module for', 'scales.check'])(
  '%j names no file',
  (text) => expect(linkModules(text, index)).toEqual([]),
);

test.each([
  ['the commit "redesign the parcel scales"', 'feat(parcels): redesign the parcel scales (#12)'],
  ["Ada's 'Redesign the parcel scales' commit", 'feat(parcels): redesign the parcel scales (#12)'],
  ['what did “the parcel scales” change', 'feat(parcels): redesign the parcel scales (#12)'],
  ['what did `weigh twice` do', 'Weigh twice'],
])('%j quotes a subject', (text, subject) => {
  const found = linkSubjects(text, index).map(({ entity }) =>
    entity.kind === 'commit' ? index.commits.subject(entity.commit) : entity.kind,
  );
  expect(found).toEqual([subject]);
});

test.each(['what does "parcel" do', 'the "parcel scales" and others', "it's what we don't weigh twice"])(
  '%j quotes none',
  (text) => expect(linkSubjects(text, index)).toEqual([]),
);
