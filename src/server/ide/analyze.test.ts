import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestModel } from '#assistant/models/testing-model.ts';
import { analysisRoutes } from '#contract/analysis.ts';
import { projectRoutes } from '#contract/projects.ts';
import type { TestUser } from '../testing.ts';
import { createIdeFixture, type IdeFixture, waitUntilReady } from './testing.ts';

let fixture: IdeFixture;

const COUNT =
  "export function count(text) {\n  if (!text) throw new Error('nothing to count');\n  return text.length;\n}\n";

beforeAll(async () => {
  fixture = await createIdeFixture({
    'src/count.js': 'export function count(text) {\n  return text.length;\n}\n',
  });
  await fixture.upstream.commit({
    message: 'Fix crash when there is nothing to count',
    files: { 'src/count.js': COUNT },
  });
  await fixture.app.call(projectRoutes.refresh, { params: { id: fixture.projectId } }, fixture.ada);
  await waitUntilReady(fixture.app, fixture.ada, fixture.projectId);
});
afterAll(() => fixture.close());

interface Words {
  code: string;
  file_path?: string;
  error_message?: string;
  additional_context?: string;
  use_reference_pack?: boolean;
}

async function analyze(words: Words, as: TestUser = fixture.vic) {
  const body = { file_path: 'src/count.js', ...words };
  return await fixture.app.call(analysisRoutes.analyze, { params: { id: fixture.projectId }, body }, as);
}

test('diagnostics are reported per line, with advice', async () => {
  const { status, body } = await analyze({ code: `${COUNT}export const b = ;\n`, use_reference_pack: false });
  expect(status).toBe(200);
  expect(body.errors[0]).toMatchObject({ line: 5, column: 18, severity: 'error', source: 'biome parse' });
  expect(body.checkers).toEqual(['Biome']);
  expect(body.solution).toContain('Fix line 5 first');
});

test('the reference pack adds earlier fixes of the file', async () => {
  const { body } = await analyze({ code: COUNT });
  expect(body.errors).toEqual([]);
  expect(body.solution).toContain('Fix crash when there is nothing to count');
  expect((await analyze({ code: COUNT, use_reference_pack: false })).body.solution).toBeNull();
});

test('an error gets the answer of the debug call without a session', async () => {
  const { body } = await analyze({ code: COUNT, error_message: 'Error: nothing to count' });
  expect(body.solution).toContain('src/count.js:');
  expect(await fixture.app.deps.db.selectFrom('debug_sessions').selectAll().execute()).toEqual([]);
});

test('with a model the answer is composed like the debug call, and its patch is verified', async () => {
  const provider = await startTestModel();
  const { config } = fixture.app.deps;
  config.model = { provider: 'openai', name: 'small', baseUrl: provider.baseUrl, apiKey: null };
  const patch = `--- a/src/count.js\n+++ b/src/count.js\n@@ -1,3 +1,3 @@\n export function count(text) {\n-  if (!text) throw new Error('nothing to count');\n+  if (!text) return 0;\n   return text.length;\n`;
  provider.behave({ say: JSON.stringify({ root_cause: 'An empty text counts as an error. [e1]', patch }) });
  const { body } = await analyze({ code: COUNT, error_message: 'Error: nothing to count' });
  config.model = null;
  await provider.close();
  expect(body.solution).toContain('An empty text counts as an error.');
  expect(body.patch).toContain('+  if (!text) return 0;');
  expect(body.model_run).toMatchObject({ model: 'openai:small', patch: 'verified' });
});

test('unsupported languages and over-large files are reported', async () => {
  const notes = await analyze({ code: 'words\n', file_path: 'notes.txt', use_reference_pack: false });
  expect(notes.body).toMatchObject({ errors: [], solution: null, checkers: [] });
  expect((await analyze({ code: 'x'.repeat(2 ** 20 + 1) })).status).toBe(413);
});

test('a checker crash is an error message, and the next check works', async () => {
  const broken = await analyze({ code: '['.repeat(5_000) });
  expect(broken).toMatchObject({ status: 503, error: { reason: 'checker_failed' } });
  expect((await analyze({ code: 'const a = ;' })).status).toBe(200);
});

test('types are checked with the files of the branch, unsaved ones included', async () => {
  const body = {
    file_path: 'src/size.ts',
    code: "import { count } from './count.js';\nexport const size: string = count('').length;\ncount('').lenght;\n",
    unsaved: [{ path: 'src/count.js', code: 'export const count = (text) => [text];\n' }],
    with_fixes: true,
  };
  const call = { params: { id: fixture.projectId }, body };
  const { status, body: found } = await fixture.app.call(analysisRoutes.check, call, fixture.vic);
  expect(status).toBe(200);
  expect(found.checkers).toEqual(['Biome', 'TypeScript']);
  expect(found.types).toEqual({ status: 'checked', hidden: 0, missing_packages: [], is_partial: false });
  expect(found.errors).toContainEqual(
    expect.objectContaining({
      line: 3,
      source: 'typescript 2551',
      fixes: [expect.objectContaining({ title: "Change spelling to 'length'" })],
    }),
  );
  expect((await fixture.app.call(analysisRoutes.check, call, fixture.eve)).status).toBe(404);
  const gone = { ...call, body: { ...body, ref: 'no-such-branch' } };
  expect((await fixture.app.call(analysisRoutes.check, gone, fixture.vic)).status).toBe(404);
});

test('the history names lines of earlier fixes', async () => {
  const params = { id: fixture.projectId, '*': 'src/count.js' };
  const { status, body } = await fixture.app.call(analysisRoutes.risks, { params, query: {} }, fixture.vic);
  expect(status).toBe(200);
  expect(body.fixed_lines).toEqual([
    expect.objectContaining({ line: 2, lines: 1, subject: 'Fix crash when there is nothing to count' }),
  ]);
  expect(body).toMatchObject({ hotspot: null, companions: [] });
});

test('a non-member gets not found', async () => {
  expect((await analyze({ code: COUNT }, fixture.eve)).status).toBe(404);
});
