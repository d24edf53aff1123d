import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git } from '#git/run.ts';
import { buildRepository, storeBlob, type TestRepository } from '#git/testing.ts';
import { checkOut } from './check-out.ts';

const root = mkdtempSync(join(tmpdir(), 'hindsight-checkout-'));
let repository: TestRepository;
let head: string;
let count = 0;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    head = await repo.commit({
      files: {
        'src/app.js': 'export const answer = 41;\n',
        'text.txt': 'plain\n',
        '.gitattributes': '*.txt filter=evil\n*.js filter=evil merge=evil diff=evil\n',
        '.gitmodules':
          '[submodule "evil"]\n\tpath = evil\n\turl = ext::sh -c touch% /tmp/x\n\tupdate = !touch x\n',
      },
    });
  });
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await repository.remove();
});

const fresh = () => join(root, `checkout-${++count}`);
const write = async (folder: string, commit: string, options = {}) => {
  await checkOut(repository.path, commit, folder, options);
  return folder;
};
const raw = async (args: string[], input: string | Buffer = '') =>
  (await git(repository.path, args, { name: args[0]!, input })).stdout.toString().trim();

/** Stores a tree object from raw entries, which git's own commands would refuse. */
async function storeTree(entries: [mode: string, name: string, oid: string][]): Promise<string> {
  const content = Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
  );
  return await raw(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], content);
}

const commitOf = async (tree: string) =>
  await raw(
    ['hash-object', '-t', 'commit', '-w', '--stdin'],
    `tree ${tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`,
  );

test('writes the files of a revision without .git', async () => {
  const folder = await write(fresh(), head);
  expect(readdirSync(folder).sort()).toEqual(['.gitattributes', '.gitmodules', 'src', 'text.txt']);
  expect(readFileSync(join(folder, 'src/app.js'), 'utf8')).toBe('export const answer = 41;\n');
});

test('a filter that the repository names does not run, nor a hook of the bare repository', async () => {
  const trace = join(root, 'trace');
  mkdirSync(join(repository.path, 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
    writeFileSync(join(repository.path, 'hooks', hook), `#!/bin/sh\ntouch '${trace}'\n`, { mode: 0o755 });
  }
  const folder = await write(fresh(), head);
  expect(readFileSync(join(folder, 'text.txt'), 'utf8')).toBe('plain\n');
  expect(readdirSync(root)).not.toContain('trace');
});

test('links are written as links, and never followed', async () => {
  const outside = join(root, 'outside');
  mkdirSync(outside, { recursive: true });
  const [link, file] = [
    await storeBlob(repository.path, Buffer.from(outside)),
    await storeBlob(repository.path, Buffer.from('escaped')),
  ];
  const inner = await storeTree([['100644', 'file', file]]);
  // A link and a folder of one name: the file would land where the link leads.
  const tree = await storeTree([
    ['120000', 'a', link],
    ['40000', 'a', inner],
    ['120000', 'b', link],
  ]);
  const folder = fresh();
  await write(folder, await commitOf(tree)).catch(() => {});
  expect(readdirSync(outside)).toEqual([]);
  const plain = await write(fresh(), await commitOf(await storeTree([['120000', 'b', link]])));
  expect(lstatSync(join(plain, 'b')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(plain, 'b'))).toBe(outside);
});

test.each(['.git', '..', '.GIT', 'git~1'])(
  'a tree that names `%s` is refused, and nothing is written',
  async (name) => {
    const file = await storeBlob(repository.path, Buffer.from('[core]\n\thooksPath = /tmp\n'));
    const inner = await storeTree([['100644', 'config', file]]);
    const folder = fresh();
    await expect(write(folder, await commitOf(await storeTree([['40000', name, inner]])))).rejects.toThrow();
    expect(readdirSync(root)).not.toContain(folder.split('/').at(-1));
    expect(readdirSync(root)).not.toContain('config');
  },
);

test('a submodule is an empty folder', async () => {
  const file = await storeBlob(repository.path, Buffer.from('x'));
  const tree = await storeTree([
    ['100644', 'file', file],
    ['160000', 'module', head],
  ]);
  const folder = await write(fresh(), await commitOf(tree));
  expect(readdirSync(join(folder, 'module'))).toEqual([]);
});

const patch = (path: string) =>
  `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-export const answer = 41;\n+export const answer = 42;\n`;

test('a patch is applied to the files, not to the repository', async () => {
  const objects = await raw(['count-objects']);
  const folder = await write(fresh(), head, { patch: patch('src/app.js') });
  expect(readFileSync(join(folder, 'src/app.js'), 'utf8')).toBe('export const answer = 42;\n');
  expect(await raw(['count-objects'])).toBe(objects);
});

test.each([
  ['a file that is not there', patch('src/absent.js')],
  ['a file outside', patch('../outside')],
  ['a file of git', patch('.git/config')],
  ['no patch', 'hello'],
])('a patch of %s is refused with the reason of git', async (_, text) => {
  await expect(write(fresh(), head, { patch: text })).rejects.toMatchObject({
    code: 'bad_request',
    messageKey: 'proof_patch_rejected',
  });
});
