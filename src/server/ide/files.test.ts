import { afterAll, beforeAll, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { HOSTILE_PATHS, ODD_NAMES } from '#git/testing-hostile.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

/** More than a mebibyte. */
const LINES = Array.from({ length: 120_000 }, (_, index) => `line ${index + 1}\n`).join('');

let fixture: IdeFixture;

beforeAll(async () => {
  fixture = await createIdeFixture({
    'src/deep/count.js': 'export const one = 1;\n',
    'README.md': '# Words\r\n\r\nTwo\n',
    'bom.txt': '\ufeffone\n',
    'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]),
    'wide.txt': Buffer.from([0xff, 0xfe, 0xe9, 0, 10, 0]),
    'lines.txt': LINES,
    'logo.png': Buffer.from([0x89, 0x50, 0, 0, 1]),
    'large.txt': 'x'.repeat(2 ** 20 + 1),
    ['__proto__']: 'a literal name\n',
    constructor: 'another\n',
    '-rf': 'a third\n',
    ':(glob)**': 'a fourth\n',
    'naïve/é.txt': 'a fifth\n',
  });
});
afterAll(() => fixture.close());

async function read(path: string, query: { ref?: string } = {}, as = fixture.ada) {
  return await fixture.app.call(ideRoutes.file, { params: { id: fixture.projectId, '*': path }, query }, as);
}

async function list(query: { path?: string; ref?: string } = {}, as = fixture.ada) {
  return await fixture.app.call(ideRoutes.files, { params: { id: fixture.projectId }, query }, as);
}

test('the tree contains every file by name', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(
    '-rf :(glob)** README.md __proto__ bom.txt constructor large.txt latin.txt lines.txt link logo.png naïve src sub wide.txt'.split(
      ' ',
    ),
  );
  expect(body.src).toEqual({
    type: 'directory',
    children: { deep: { type: 'directory', children: { 'count.js': { type: 'file', size: 22 } } } },
  });
  expect(Object.getOwnPropertyDescriptor(body, '__proto__')?.value).toEqual({ type: 'file', size: 15 });
  expect(body.link).toMatchObject({ type: 'file', not_editable: 'symlink' });
  expect(body.sub).toMatchObject({ type: 'file', size: null, not_editable: 'submodule' });
});

test('a single folder is listed without its descendants', async () => {
  expect((await list({ path: 'src' })).body).toEqual({ deep: { type: 'directory' } });
  expect((await list({ path: '' })).body.src).toEqual({ type: 'directory' });
  expect((await list({ path: 'README.md' })).status).toBe(404);
  expect((await list({ path: '../src' })).status).toBe(404);
});

test('content is returned byte for byte, with its version', async () => {
  const { body } = await read('README.md');
  expect(body).toMatchObject({
    content: '# Words\r\n\r\nTwo\n',
    commit: await fixture.upstream.head(),
    branch: null,
    size: 15,
    language: 'markdown',
    read_only: null,
  });
  expect((await read('bom.txt')).body.content).toBe('\ufeffone\n');
});

test.each([
  ['logo.png', 415],
  ['large.txt', 413],
  ['sub', 415],
  ['src', 404],
  ['nowhere.txt', 404],
])('%s returns %i with a message', async (path, status) => {
  const reply = await read(path);
  expect(reply.status).toBe(status);
  expect(reply.error?.message).toMatch(/\.$/);
});

test('read-only files include the reason', async () => {
  expect((await read('link')).body).toMatchObject({ content: '../../etc/passwd', read_only: 'symlink' });
  expect((await read('README.md', {}, fixture.vic)).body.read_only).toBe('viewer');
});

test.each(HOSTILE_PATHS)('the path %j cannot be opened', async (path) => {
  const url = `/api/ide/projects/${fixture.projectId}/files/${path}`;
  const reply = await fixture.app.inject({ method: 'GET', url }, fixture.ada);
  expect([400, 404, 414, 422]).toContain(reply.statusCode);
  expect(reply.body).not.toContain('root:');
});

test.each([...ODD_NAMES, 'naïve/é.txt'])('the unusual name %j opens', async (path) => {
  expect(await read(path)).toMatchObject({ status: 200, body: { path } });
});

test.each(['-x', '--output=/tmp/x', 'HEAD:', 'a..b', '^main', 'nowhere'])(
  'the revision %j is not found',
  async (ref) => {
    expect((await read('README.md', { ref })).status).toBe(404);
    expect((await list({ ref })).status).toBe(404);
  },
);

test('another revision can be read', async () => {
  const { body } = await read('README.md', { ref: 'main' });
  expect(body).toMatchObject({ commit: await fixture.upstream.head(), branch: null });
});

test('other encodings are decoded and named', async () => {
  const latin = { content: 'café\n', encoding: 'windows-1252', read_only: null, size: 5 };
  expect((await read('latin.txt')).body).toMatchObject(latin);
  expect((await read('wide.txt')).body).toMatchObject({ content: '\ufeffé\n', encoding: 'utf-16le' });
});

test('a large file is read in pieces of whole lines that are the file together', async () => {
  const piece = async (offset: number, path = 'lines.txt') =>
    await fixture.app.call(
      ideRoutes.piece,
      { params: { id: fixture.projectId, '*': path }, query: { offset: `${offset}` } },
      fixture.ada,
    );
  let text = '';
  for (let offset = 0; offset < LINES.length; ) {
    const { body, status } = await piece(offset);
    expect(status).toBe(200);
    expect(body).toMatchObject({ start: offset, size: LINES.length });
    expect(body.text).toMatch(new RegExp(`^line ${body.first_line}\\n`));
    text += body.text;
    offset = body.end;
  }
  expect(text === LINES).toBe(true);
  const within = (await piece(700_003)).body;
  expect(within.text.startsWith(`line ${within.first_line}\n`)).toBe(true);
  expect((await piece(0, 'logo.png')).status).toBe(415);
  expect((await piece(0, 'src')).status).toBe(404);
  expect((await piece(0, 'large.txt')).body.text.length).toBe(2 ** 18);
});

test('lines are found by text, expression and path in the files of a revision', async () => {
  const find = async (query: Record<string, string>, as = fixture.ada) =>
    await fixture.app.call(
      ideRoutes.find,
      { params: { id: fixture.projectId }, query: { q: 'x', ...query } } as never,
      as,
    );
  const places = async (query: Record<string, string>) =>
    (await find(query)).body.lines.map(({ path, line }) => `${path}:${line}`);
  expect(await places({ q: 'ONE', ignore_case: 'true' })).toEqual(['bom.txt:1', 'src/deep/count.js:1']);
  expect(await places({ q: 'ONE' })).toEqual([]);
  expect(await places({ q: 'one', include: 'src, *.md' })).toEqual(['src/deep/count.js:1']);
  expect(await places({ q: 'one', exclude: 'src' })).toEqual(['bom.txt:1']);
  expect(await places({ q: 'on', whole_word: 'true' })).toEqual([]);
  expect(await places({ q: 'one = \\d;', match: 'regex' })).toEqual(['src/deep/count.js:1']);
  expect((await find({ q: '(', match: 'regex' })).status).toBe(400);
  expect((await find({ q: 'one' }, fixture.eve)).status).toBe(404);
});

test('the history of lines lists the commits that changed them', async () => {
  const params = { id: fixture.projectId, '*': 'src/deep/count.js' };
  const ask = (query: Record<string, string>) =>
    fixture.app.call(ideRoutes.lineHistory, { params, query } as never, fixture.ada);
  const { body } = await ask({ first_line: '1', last_line: '1' });
  expect(body).toMatchObject({ complete: true, commits: [{ subject: 'Begin', path: 'src/deep/count.js' }] });
  expect(body.commits[0]!.hunks[0]!.lines).toMatchObject([{ kind: 'add', text: 'export const one = 1;' }]);
  expect((await ask({ first_line: '99', last_line: '99' })).body.commits).toEqual([]);
});

test('a non-member gets not found', async () => {
  expect((await read('README.md', {}, fixture.eve)).status).toBe(404);
  expect((await list({}, fixture.eve)).status).toBe(404);
});
