import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RED_SQUARE } from '#assistant/models/probe.ts';
import { chatRoutes } from '#contract/chat.ts';
import { projectRoutes } from '#contract/projects.ts';
import { type GitServer, serveRepositories } from '#git/testing.ts';
import { buildShop, SHOP_TRACE, type ShopHistory } from '#investigate/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

let shop: ShopHistory;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let id: string;

beforeAll(async () => {
  shop = await buildShop();
  gitServer = await serveRepositories(shop.repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } } });
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const body = { name: 'Shop', git_url: `${gitServer.url}/${shop.repository.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  const status = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body.status;
  await vi.waitFor(async () => expect(await status()).toBe('ready'), { timeout: 60_000 });
  await app.deps.db
    .insertInto('project_members')
    .values({ project_id: id, user_id: bob.id, role: 'viewer' })
    .execute();
});
afterAll(async () => {
  await app.close();
  await gitServer.close();
  await shop.repository.remove();
});

const upload = (name: string, content: string | Buffer, as = ada) =>
  app.call(
    chatRoutes.upload,
    { params: { id }, body: { name, data: Buffer.from(content).toString('base64') } },
    as,
  );
const read = (attachment: string, as = ada) =>
  app.call(chatRoutes.attachment, { params: { id, attachment } }, as);
const ask = (message: string, attachments: string[], more: object = {}) =>
  app.call(chatRoutes.send, { params: { id }, body: { message, attachments, ...more } }, ada);
const list = async (as = ada, query: { thread?: string } = {}) =>
  (await app.call(chatRoutes.messages, { params: { id }, query }, as)).body.messages;

test('the kind follows from the content, whatever the name says; secrets are redacted before they are stored', async () => {
  const log = `GITHUB_TOKEN=${TOKEN}\n${SHOP_TRACE}`;
  const kinds = [
    ['shot.log', Buffer.from(RED_SQUARE.data, 'base64'), 'image', 'image/png'],
    ['page.png', '<script>alert(1)</script>', 'file', 'text/plain'],
    ['../../app.log', log, 'log', 'text/plain'],
    ['utf16.txt', Buffer.from('\ufeffhello', 'utf16le'), 'file', 'text/plain'],
  ] as const;
  for (const [name, content, kind, media_type] of kinds) {
    const { status, body } = await upload(name, content);
    expect([name, status, body.kind, body.media_type]).toEqual([name, 201, kind, media_type]);
    expect(body.name).toBe(name.split('/').at(-1));
  }
  const stored = await app.deps.db.selectFrom('chat_attachments').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(TOKEN);
  expect(stored.find(({ kind }) => kind === 'log')?.text).toContain('[redacted]');
  expect(stored.find(({ kind }) => kind === 'image')).toMatchObject({ width: 32, height: 32 });
});

test('hostile files are refused with a reason', async () => {
  const bomb = Buffer.from(RED_SQUARE.data, 'base64');
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  const cases = [
    ['zip.log', Buffer.from('504b0304000000', 'hex'), 415, 'attachment_not_text'],
    ['nul.txt', 'a\0b', 415, 'attachment_not_text'],
    ['bomb.png', bomb, 413, 'attachment_image_too_large'],
    ['cut.jpg', Buffer.from('ffd8ffe0', 'hex'), 415, 'attachment_not_text'],
    ['large.log', 'x'.repeat(2 * 2 ** 20 + 1), 413, 'attachment_too_large'],
  ] as const;
  for (const [name, content, status, reason] of cases) {
    const reply = await upload(name, content);
    expect([name, reply.status, reply.error?.reason]).toEqual([name, status, reason]);
  }
  const body = { name: 'x', data: 'not base64!' };
  expect((await app.call(chatRoutes.upload, { params: { id }, body }, ada)).status).toBe(422);
  expect((await ask('Why?', ['nothing'])).status).toBe(404);
  expect((await ask('Why?', ['a', 'b', 'c', 'd', 'e'])).status).toBe(422);
  const theirs = (await upload('theirs.log', 'x', bob)).body.id;
  expect((await ask('Why?', [theirs])).status).toBe(404);
  expect((await read(theirs)).status).toBe(404);
});

test('without a model a log is read as an error; the file stays with its question until that is deleted', async () => {
  const file = (await upload('app.log', SHOP_TRACE)).body;
  const { body } = await ask('Why does this happen?', [file.id]);
  expect(body.response).toContain('`app.log`');
  expect(body.response).toContain('src/checkout/total.js');
  expect(body.steps.map(({ tool }) => tool)).toEqual(['search_index', 'read_log']);
  const [question, answer] = await list();
  expect(question?.attachments).toEqual([file]);
  expect(answer?.steps).toEqual(body.steps);
  expect((await read(file.id, bob)).status).toBe(404);
  const thread = { params: { id, thread: body.thread_id } };
  await app.call(chatRoutes.updateThread, { ...thread, body: { shared: true } }, ada);
  expect((await read(file.id, bob)).body.text).toBe(SHOP_TRACE);
  const remove = { params: { id, attachment: file.id } };
  expect((await app.call(chatRoutes.removeAttachment, remove, ada)).status).toBe(404);
  // An edited question keeps its file beside the first version.
  await ask('Who changed it?', [file.id], { parent_id: null });
  expect((await list())[0]?.attachments?.map(({ name }) => name)).toEqual(['app.log']);
  await app.call(chatRoutes.remove, thread, ada);
  expect((await read(file.id)).status).toBe(404);
});

test('images need a model; an unsent file can be removed', async () => {
  const image = (await upload('a.png', Buffer.from(RED_SQUARE.data, 'base64'))).body;
  expect((await ask('What is this?', [image.id])).error).toMatchObject({ reason: 'images_need_model' });
  const remove = { params: { id, attachment: image.id } };
  expect((await app.call(chatRoutes.removeAttachment, remove, bob)).status).toBe(404);
  expect((await app.call(chatRoutes.removeAttachment, remove, ada)).status).toBe(200);
});
