import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PathMapping } from '#contract/project-settings.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { readPackageNames } from './package-names.ts';
import { createPathResolver } from './resolve-printed-path.ts';
import { openSourceReader } from './source-reader.ts';

let repository: TestRepository;
let index: RepositoryIndex;

/** A monorepo whose packages have files of the same names. */
const FILES = [
  'index.js',
  'packages/api/index.js',
  'packages/api/routes/user.js',
  'packages/web/index.js',
  'packages/web/src/store.ts',
  'packages/web/src/pages/cart.tsx',
  'src/shop/cli.py',
  'lib/mail/send.rb',
];

beforeAll(async () => {
  const manifests = {
    'packages/api/package.json': '{\n  "name": "@shop/api"\n}\n',
    'packages/web/package.json': '{\n  "name": "@shop/web"\n}\n',
  };
  repository = await buildRepository(async (repo) => {
    const files = Object.fromEntries(FILES.map((path, at) => [path, `export const value = ${at};\n`]));
    await repo.commit({ files: { ...files, ...manifests } });
  });
  index = await indexRepository(repository.path);
});
afterAll(() => repository.remove());

async function resolve(printed: string[], mappings: PathMapping[] = []) {
  const code = index.code!;
  const sources = openSourceReader(repository.path, index);
  try {
    const packages = await readPackageNames(code, sources);
    const resolver = createPathResolver({ code, packages, mappings, printed });
    return printed.map((path) => {
      const found = resolver(path);
      return found && `${code.filePath(found.file)}${found.isCompiled ? ' (compiled)' : ''}`;
    });
  } finally {
    sources.close();
  }
}

test.each([
  ['a container', ['/usr/src/app/lib/mail/send.rb'], ['lib/mail/send.rb']],
  [
    'a dated release folder',
    ['/var/www/shop/releases/20240102030405/lib/mail/send.rb'],
    ['lib/mail/send.rb'],
  ],
  ['its own installed package', ['/venv/lib/python3.11/site-packages/shop/cli.py'], ['src/shop/cli.py']],
  ['an egg', ['/venv/lib/python2.7/site-packages/shop-1.2-py2.7.egg/shop/cli.py'], ['src/shop/cli.py']],
  [
    'a package of a monorepo at the root of a container',
    ['/app/routes/user.js', '/app/index.js'],
    ['packages/api/routes/user.js', 'packages/api/index.js'],
  ],
  ['a file of the root where nothing else speaks', ['/app/index.js'], ['index.js']],
  [
    'installed packages of a monorepo',
    ['/srv/node_modules/@shop/web/index.js', '/srv/node_modules/@shop/api/index.js'],
    ['packages/web/index.js', 'packages/api/index.js'],
  ],
  [
    'compiled files',
    ['/srv/node_modules/@shop/web/dist/store.js', '/app/packages/web/dist/esm/pages/cart.mjs'],
    ['packages/web/src/store.ts (compiled)', 'packages/web/src/pages/cart.tsx (compiled)'],
  ],
  ['other packages and runtimes', ['/srv/node_modules/left-pad/index.js', 'node:events'], [null, null]],
])('%s', async (_, printed, paths) => {
  expect(await resolve(printed)).toEqual(paths);
});

test('mappings of the project come first, the longest one best; `*` is any segment', async () => {
  const mappings = [
    { from: '/srv', to: 'packages/web' },
    { from: '/srv/releases/*/', to: 'packages/api/' },
    { from: 'C:\\shop', to: '' },
  ];
  const printed = ['/srv/index.js', '/srv/releases/2024-01-02/index.js', 'C:/shop/index.js', '/srv/other.js'];
  expect(await resolve(printed, mappings)).toEqual([
    'packages/web/index.js',
    'packages/api/index.js',
    'index.js',
    null,
  ]);
});
