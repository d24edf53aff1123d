import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { HOSTILE_PATHS, INVALID_PATHS, ODD_NAMES } from '#git/testing-hostile.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

/** Names of files that a repository may hold. */
const STRANGE_NAMES = [
  ...ODD_NAMES,
  'line\nfeed.txt',
  '\u001b[31mred.txt',
  'README.MD',
  'README.md',
  '\u202etxt.exe',
  'lfs.bin',
  '.gitattributes',
  'folder/<script>.js',
];

let fixture: IdeFixture;
let head: string;

beforeAll(async () => {
  const files = Object.fromEntries(
    STRANGE_NAMES.map((name) => [name, `content of ${JSON.stringify(name)}\n`]),
  );
  files['.gitattributes'] = '* filter=lfs diff=evil\n';
  files['lfs.bin'] =
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';
  fixture = await createIdeFixture(files);
  head = await fixture.upstream.head();
});
afterAll(() => fixture.close());

const url = (rest: string) => `/api/ide/projects/${fixture.projectId}/${rest}`;

/** A path as a body has it; null where its bytes are no text, which only a URL can hold. */
function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Every call of the editor that takes a path: in its URL as it is, or (`text`) decoded once. */
const CALLS: [name: string, place: 'url' | 'text', make: (path: string) => InjectOptions][] = [
  ['GET files', 'url', (path) => ({ method: 'GET', url: url(`files/${path}`) })],
  ['GET pieces', 'url', (path) => ({ method: 'GET', url: url(`pieces/${path}`) })],
  ['GET line-history', 'url', (path) => ({ method: 'GET', url: url(`line-history/${path}`) })],
  ['GET folder', 'text', (path) => ({ method: 'GET', url: url('files'), query: { path: `${path}/x` } })],
  [
    'POST files',
    'url',
    (path) => ({ method: 'POST', url: url(`files/${path}`), payload: { content: 'x\n' } }),
  ],
  [
    'POST files, renamed from',
    'text',
    (path) => ({
      ...{ method: 'POST', url: url('files/new.txt') },
      payload: { content: 'x\n', renamed_from: path },
    }),
  ],
  ['DELETE files', 'url', (path) => ({ method: 'DELETE', url: url(`files/${path}`) })],
  [
    'DELETE folder',
    'url',
    (path) => ({ method: 'DELETE', url: url(`files/${path}`), query: { recursive: 'true' } }),
  ],
  [
    'POST commits',
    'text',
    (path) => ({
      ...{ method: 'POST', url: url('commits') },
      payload: {
        files: [
          { path: 'ok.txt', content: 'x\n' },
          { path, content: 'x\n' },
        ],
      },
    }),
  ],
  [
    'POST moves, from',
    'text',
    (path) => ({ method: 'POST', url: url('moves'), payload: { from: path, to: 'to.txt' } }),
  ],
  [
    'POST moves, to',
    'text',
    (path) => ({ method: 'POST', url: url('moves'), payload: { from: 'README.md', to: path } }),
  ],
];

test.each(CALLS)('%s refuses every hostile path and changes nothing', async (name, place, make) => {
  const isRead = name.startsWith('GET') || name.includes('from') || name.startsWith('DELETE');
  const paths = isRead ? HOSTILE_PATHS : INVALID_PATHS;
  for (const path of paths) {
    const sent = place === 'url' ? path : decodePath(path);
    if (sent === null) continue;
    const reply = await fixture.app.inject(make(sent), fixture.ada);
    expect([400, 404, 409, 414, 422], `${name} ${path.slice(0, 80)}`).toContain(reply.statusCode);
    expect(reply.body, path).not.toContain('root:');
  }
  const { body } = await fixture.app.call(
    ideRoutes.file,
    { params: { id: fixture.projectId, '*': 'README.md' }, query: {} },
    fixture.ada,
  );
  expect(body).toMatchObject({ branch: null, commit: head });
});

test.each([
  ['a NUL', 'a\0b', 422],
  ['half of a surrogate pair', 'a\ud800b', 422],
  ['a byte more than a megabyte', 'x'.repeat(2 ** 20 + 1), 413],
])('several files of which one has %s are all refused', async (_, content, status) => {
  const files = [
    { path: 'fine.txt', content: 'fine\n' },
    { path: 'bad.txt', content },
  ];
  const body = { files, branch: 'contents' };
  const reply = await fixture.app.call(
    ideRoutes.commit,
    { params: { id: fixture.projectId }, body },
    fixture.ada,
  );
  expect(reply.status).toBe(status);
});

test('a repository with strange names is listed, read, searched, moved and deleted by them', async () => {
  const params = (path: string) => ({ params: { id: fixture.projectId, '*': path } });
  const query = { branch: 'strange' };
  const { body: tree } = await fixture.app.call(
    ideRoutes.files,
    { params: { id: fixture.projectId }, query: {} },
    fixture.ada,
  );
  for (const name of STRANGE_NAMES) {
    const opened = await fixture.app.call(ideRoutes.file, { ...params(name), query: {} }, fixture.ada);
    const isSafe = !/\p{Cc}/u.test(name);
    // A name with control characters is listed, and not found by a path that no URL can hold.
    expect([200, isSafe ? 200 : 422, isSafe ? 200 : 404], name).toContain(opened.status);
    if (!name.includes('/')) expect(Object.hasOwn(tree, name), name).toBe(true);
  }
  const found = await fixture.app.call(
    ideRoutes.find,
    { params: { id: fixture.projectId }, query: { q: 'content of' } } as never,
    fixture.ada,
  );
  expect(found.body.lines.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['-rf', ':(glob)**', '__proto__', 'folder/<script>.js']),
  );
  for (const name of [...ODD_NAMES, 'folder', '\u202etxt.exe']) {
    const to = `moved/${name}`;
    const body = { from: name, to, ...query };
    const moved = await fixture.app.call(
      ideRoutes.move,
      { params: { id: fixture.projectId }, body },
      fixture.ada,
    );
    expect(moved.status, name).toBe(200);
    const removed = await fixture.app.call(
      ideRoutes.remove,
      { ...params(to), query: { ...query, recursive: 'true' } } as never,
      fixture.ada,
    );
    expect(removed.status, name).toBe(200);
  }
});
