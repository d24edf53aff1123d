import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { parseCitations } from '../../answer/citations.ts';
import { answerQuestion } from '../answer-question.ts';
import { addModules } from './feature-folders.ts';

let repo: TestRepository;
let index: RepositoryIndex;

const FILES = {
  'README.md':
    '# Parcel\n\nParcel tracks shipments between warehouses.\n\n## Running the tests\n\nInstall the packages, then run:\n\n```sh\nnpm test\n```\n',
  'package.json':
    '{ "name": "parcel", "scripts": { "test": "node --test" }, "dependencies": { "undici": "^7.0.0" } }\n',
  'src/routes/planner.js':
    "import { fetch } from 'undici';\n\n/** Plans the cheapest route between two warehouses. Throws RangeError without one. */\nexport function planRoute(from, to) {\n  return fetch(`/routes/` + from + to);\n}\n",
  'src/routes/label-printer.js':
    "import { planRoute } from './planner.js';\n\nexport class LabelPrinter {\n  print(parcel) {\n    return planRoute(parcel.from, parcel.to);\n  }\n}\n",
  'src/settings.js':
    '/** Milliseconds before a carrier counts as unreachable. */\nexport const carrierTimeout = 4500;\n',
  'label-designer/README.md': '# Designer\n',
  'label-designer/build.gradle': "apply plugin: 'java'\n",
  'label-designer/src/main/js/LabelDesigner.js': 'export class LabelDesigner {}\n',
  'shell/completion.bash': 'complete -W "print plan" parcel\n',
  'test/shell.test.js': 'export function testShellIntegration() {\n  return 1;\n}\n',
  'test/planner.test.js':
    "import { test } from 'node:test';\nimport { planRoute } from '../src/routes/planner.js';\n\ntest('plans the cheapest route', () => planRoute('a', 'b'));\n",
};

beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Track shipments', files: FILES });
  });
  index = await indexRepository(repo.path, 'main');
});
afterAll(() => repo.remove());

/** Paths that the answer cites, in their order. */
async function citedPaths(text: string): Promise<string[]> {
  const input = { repo: repo.path, index, now: '2024-03-01T00:00:00Z' };
  const { answer } = await answerQuestion({ text, earlier: [] }, input);
  const paths = parseCitations(answer).map((citation) => (citation.kind === 'lines' ? citation.path : ''));
  return [...new Set(paths.filter((path) => path !== ''))];
}

test.each([
  ['Where is planRoute defined?', 'src/routes/planner.js'],
  ['where do I find the label printer class', 'src/routes/label-printer.js'],
  ['What does planRoute do?', 'src/routes/planner.js'],
  ['What is the default carrier timeout?', 'src/settings.js'],
  ['How do I run the tests?', 'README.md'],
  ['What is this project about?', 'README.md'],
  ['What is undici used for?', 'src/routes/planner.js'],
  ['What are the dependencies?', 'package.json'],
  ['Wovon hängt dieses Projekt ab?', 'package.json'],
  ['What is in the src/routes folder?', 'src/routes/label-printer.js'],
  ['List all functions in src/routes/planner.js', 'src/routes/planner.js'],
  ['What would break if I change planRoute?', 'src/routes/label-printer.js'],
  ['Which tests cover planRoute?', 'test/planner.test.js'],
])('%j cites %s', async (question, path) => {
  expect(await citedPaths(question)).toContain(path);
});

test.each(['Where do we validate coupons?', 'What happens when a coupon is expired?'])(
  '%j is about something else than the whole project',
  async (text) => {
    const input = { repo: repo.path, index, now: '2024-03-01T00:00:00Z' };
    expect(await answerQuestion({ text, earlier: [] }, input)).toMatchObject({ abstained: true });
  },
);

test('the tests of a whole question are named by its subject, not by one of them', async () => {
  const input = { repo: repo.path, index, now: '2024-03-01T00:00:00Z' };
  const { answer } = await answerQuestion({ text: 'is the shell integration tested?', earlier: [] }, input);
  expect(answer).toContain('Tests of shell integration:');
  expect(answer).toContain('`test/shell.test.js:1-3 @');
});

test('callers in the code come before those in tests', async () => {
  const paths = (await citedPaths('Who calls planRoute?')).filter((path) => path !== 'src/routes/planner.js');
  expect(paths).toEqual(['src/routes/label-printer.js', 'test/planner.test.js']);
});

test('files of a subproject with the name of a feature belong to it, after the best', () => {
  const best = { path: 'label-designer/src/main/js/LabelDesigner.js', score: 1, place: null };
  const files = [best];
  addModules('Which files form the label designer, the editor of labels?', files, index.code!);
  const added = files.filter((file) => file !== best);
  expect(added.map(({ path }) => path).sort()).toEqual([
    'label-designer/README.md',
    'label-designer/build.gradle',
  ]);
  expect(added.every(({ score }) => score < best.score)).toBe(true);
  const others = [best];
  addModules('Which files form the route planner?', others, index.code!);
  expect(others).toEqual([best]);
});
