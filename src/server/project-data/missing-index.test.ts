import { afterAll, beforeAll, expect, test } from 'vitest';
import { analysisRoutes } from '#contract/analysis.ts';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { evolutionRoutes } from '#contract/evolution.ts';
import { ideRoutes } from '#contract/ide.ts';
import { createSentence } from '#contract/sentence.ts';
import { formatMessage } from '#locales/format-message.ts';
import { LANGUAGES } from '#locales/languages.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let ada: TestUser;
let id: string;

beforeAll(async () => {
  app = await testApp();
  ada = await app.signUp('ada');
  id = await insertTestProject(app.deps, [[ada, 'owner']], { status: 'queued' });
});
afterAll(() => app.close());

/** Calls that need files, commits or an answer of the project. */
const CALLS = {
  files: () => app.call(ideRoutes.files, { params: { id }, query: {} }, ada),
  save: () => app.call(ideRoutes.save, { params: { id, '*': 'a.js' }, body: { content: '' } }, ada),
  charts: () => app.call(evolutionRoutes.get, { params: { id }, query: {} }, ada),
  answer: () => app.call(debugRoutes.debug, { body: { project_id: id, error_message: 'Error: x' } }, ada),
  chat: () => app.call(chatRoutes.send, { params: { id }, body: { message: 'Why?' } }, ada),
};

test.each(Object.entries(CALLS))('%s: a project that is being indexed asks to come back', async (_, call) => {
  const { status, error, raw } = await call();
  expect({ status, reason: error?.reason }).toEqual({ status: 503, reason: 'not_ready' });
  expect(raw.headers['retry-after']).toBe('5');
});

const failure = createSentence('errors.repository_not_found');

async function failIndexing(): Promise<void> {
  const failed = { status: 'failed', failure: JSON.stringify(failure) } as const;
  await app.deps.db.updateTable('projects').set(failed).where('id', '=', id).execute();
}

test.each(Object.entries(CALLS))('%s: a project whose indexing failed says so', async (_, call) => {
  await failIndexing();
  const { status, error, raw } = await call();
  expect({ status, reason: error?.reason }).toEqual({ status: 409, reason: 'index_failed' });
  expect(raw.headers).not.toHaveProperty('retry-after');
});

test.each(LANGUAGES)('the reason of the failure is in the language of the reader: %s', async (language) => {
  await failIndexing();
  const url = `/api/ide/projects/${id}/files`;
  const reply = await app.inject({ method: 'GET', url, headers: { 'accept-language': language } }, ada);
  const { message } = reply.json().error;
  expect(message).toBe(formatMessage(language, 'errors.index_failed', { failure: failure.code }));
  expect(message).toContain(formatMessage(language, 'errors.repository_not_found'));
});

test('a text is checked without types where indexing failed', async () => {
  await failIndexing();
  const body = { code: 'const one = 1;\n', file_path: 'a.ts' };
  const reply = await app.call(analysisRoutes.check, { params: { id }, body }, ada);
  expect(reply.status).toBe(200);
  expect(reply.body.types?.status).toBe('stopped');
});
