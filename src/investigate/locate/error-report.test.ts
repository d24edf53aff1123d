import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { estimateConfidence } from '../confidence.ts';
import { analyzeError, investigate } from '../investigate.ts';
import { type ErrorReport, reportText } from './error-report.ts';
import { openSourceReader } from './source-reader.ts';

let repository: TestRepository;
let index: RepositoryIndex;

const NAMES = ['route', 'reply', 'schema', 'logger', 'plugin', 'errors'];

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const files = NAMES.map((name) => [
      `lib/${name}.js`,
      `exports.${name} = function ${name} (options) {\n  return options.${name}Value\n}\n`,
    ]);
    await repo.commit({ message: 'Start', files: Object.fromEntries(files) });
    await repo.commit({
      message: 'Fix tmp folder of marlene',
      files: { 'lib/store.js': 'exports.marlene = 1\n' },
    });
  });
  index = await indexRepository(repository.path);
});
afterAll(() => repository.remove());

async function analyze(report: ErrorReport) {
  const sources = openSourceReader(repository.path, index);
  try {
    const error = await analyzeError(report, { index }, sources);
    const text = reportText(report, error.trace, {
      code: index.code!,
      frames: error.frames,
      templates: new Set(),
    });
    return { ...error, text };
  } finally {
    sources.close();
  }
}

test("paths of the reporter's machine are no evidence, those of the repository are", async () => {
  const error_message = `Error: the schema is missing
    at schema (/home/marlene/api/node_modules/lib/schema.js:2:10)
    at run (/tmp/marlene/schema_script.js:3:5)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)
    at route (/home/marlene/checkout/lib/route.js:2:3)`;
  const { text, words } = await analyze({ error_message });
  expect(text).not.toMatch(/marlene|tmp|schema_script|_compile/);
  expect(text).toContain('lib/route.js');
  expect([...words.inVocabulary.keys()]).not.toContain('marlene');
});

test('addresses and routes of a message stay', async () => {
  const error_message = 'Error: GET https://example.org/v2/route/x failed for /v2/reply/list';
  expect((await analyze({ error_message })).text).toContain(error_message);
});

test('of a whole file, the lines that share a word with the error count', async () => {
  const other = Array.from({ length: 60 }, (_, i) => `const plugin${i} = logger(plugin, ${i})`);
  const code_snippet = [...other, 'const value = options.schemaValue', ...other].join('\n');
  const { text, located } = await analyze({ error_message: 'TypeError: schemaValue is gone', code_snippet });
  expect(text).toContain('options.schemaValue');
  expect(text).not.toContain('plugin7 ');
  expect(located.files[0]?.path).toBe('lib/schema.js');
});

test.each(['TypeError: x', 'Segmentation fault', 'Segmentation fault (core dumped)', 'Error: undefined'])(
  '%j alone is too little',
  async (error_message) => {
    const error = await analyze({ error_message });
    expect(estimateConfidence(error)).toMatchObject({ abstained: true });
  },
);

test('a line that does not fit the revision leads to the whole function', async () => {
  const error_message = 'TypeError: pluginValue is not a function\n    at plugin (/srv/lib/plugin.js:90:3)';
  const deps = { repo: repository.path, index, sessions: [], now: '2024-03-01T00:00:00Z' };
  const { frames, evidence } = await investigate({ error_message }, deps);
  expect(frames[0]).toMatchObject({ path: 'lib/plugin.js', range: { start: 1, end: 3 } });
  const frame = evidence.find(({ kind }) => kind === 'frame');
  expect(frame?.lines).toEqual([1, 3]);
  expect(frame?.why.text).toContain('`plugin`, lines 1–3');
});
