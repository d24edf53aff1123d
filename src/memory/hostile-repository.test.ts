import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import { blame } from '#git/blame.ts';
import { showCommit } from '#git/diff.ts';
import { importRepository } from '#git/import.ts';
import { git } from '#git/run.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from './repository-index.ts';
import { indexRepository } from './testing.ts';

/** Written by any command of the repository that is run. */
const MARKER = join(tmpdir(), `hindsight-marker-${process.pid}`);
const RUN = `touch ${MARKER}`;
const ESCAPES = 'Mend \u001b]0;owned\u0007\u001b[2J the \u202eliated';

let folder: string;
let upstream: TestRepository;
let server: GitServer;
let egress: Egress;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-hostile-'));
  upstream = await buildRepository(async () => {});
  server = await serveRepositories(upstream.folder);
  egress = await startEgress({ allowedPrivateHosts: [server.host] });
});
afterAll(async () => {
  await server.close();
  await egress.close();
  await upstream.remove();
  rmSync(folder, { recursive: true, force: true });
});

type Entry = [mode: string, content: string | Entry[], name: string];

async function run(args: string[], input: string | Buffer = ''): Promise<string> {
  return (await git(upstream.path, args, { name: args[0]!, input })).stdout.toString().trim();
}

/** Writes a tree with these entries, valid or not; a list of entries is a folder, a submodule's content its commit. */
async function writeTree(entries: Entry[]): Promise<string> {
  const lines: string[] = [];
  for (const [mode, content, name] of entries) {
    const isTree = typeof content !== 'string';
    const type = isTree ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    const write = async (text: string) => await run(['hash-object', '-w', '--stdin'], text);
    const oid = isTree ? await writeTree(content) : type === 'commit' ? content : await write(content);
    lines.push(`${mode} ${type} ${oid}\t${name}\0`);
  }
  return await run(['mktree', '-z', '--missing'], lines.join(''));
}

interface Told {
  parent?: string;
  entries?: Entry[];
  author?: string;
  date?: string;
  message?: string | Buffer;
}

/** Moves main to a commit with exactly these bytes and `a.js`. */
async function commit({
  parent,
  entries = [],
  author = 'A <a@b.c>',
  date = '1700000000 +0000',
  message,
}: Told) {
  const tree = await writeTree([...entries, ['100644', 'export const a = 1;\n', 'a.js']]);
  const parents = parent === undefined ? '' : `parent ${parent}\n`;
  const people = `author ${author} ${date}\ncommitter C <c@d.e> ${date}\n\n`;
  const head = Buffer.from(`tree ${tree}\n${parents}${people}`);
  const raw = Buffer.concat([head, Buffer.from(message ?? 'Begin\n')]);
  const oid = await run(['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], raw);
  await run(['update-ref', 'refs/heads/main', oid]);
  return oid;
}

/** Brings here what upstream holds now. */
async function connect(): Promise<string> {
  const into = join(mkdtempSync(join(folder, 'project-')), 'repo.git');
  const limits = { maxRepoMb: 100, maxEntries: 1000, timeoutS: 60 };
  await importRepository({ url: `${server.url}/project.git`, into, egress, limits });
  return into;
}

test.each<[string, Entry[]]>([
  ['an entry called .git', [['040000', [['100644', '[core]\n', 'config']], '.git']]],
  ['an entry called ..', [['040000', [['100644', 'x\n', 'x']], '..']]],
  [
    'hooks in a folder',
    [['040000', [['040000', [['100755', `#!/bin/sh\n${RUN}\n`, 'post-commit']], '.git']], 'deep']],
  ],
  [
    'a submodule whose address is an option',
    [['100644', '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n', '.gitmodules']],
  ],
  ['.gitmodules as a link', [['120000', '/etc/passwd', '.gitmodules']]],
])('%s is refused in words', async (_name, entries) => {
  await commit({ entries });
  await expect(connect()).rejects.toMatchObject({ code: 'unavailable', reason: 'corrupt' });
  expect(existsSync(MARKER)).toBe(false);
});

const HARMLESS: [string, Told][] = [
  [
    'a submodule that would run a command',
    {
      entries: [
        ['100644', `[submodule "x"]\n\tpath = x\r\n\turl = ext::sh -c "${RUN}"\n`, '.gitmodules'],
        ['160000', '1'.repeat(40), 'x'],
      ],
    },
  ],
  [
    'attributes that name filters, diff drivers and converters',
    {
      entries: [
        ['100644', '* filter=evil diff=evil textconv=evil merge=evil export-subst\n', '.gitattributes'],
        ['100644', `[filter "evil"]\n\tsmudge = ${RUN}\n[diff "evil"]\n\ttextconv = ${RUN}\n`, '.gitconfig'],
      ],
    },
  ],
  [
    'a pointer of large file storage',
    {
      entries: [['100644', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n', 'big.bin']],
    },
  ],
  ['a link out of the repository', { entries: [['120000', '/etc/passwd', 'README.md']] }],
  ['forty megabytes of zeros', { entries: [['100644', '\0'.repeat(40_000_000), 'zeros.bin']] }],
  ['escapes of a terminal and signs that turn text', { message: ESCAPES }],
  ['a message that is not UTF-8', { message: Buffer.from('caf\xe9 \xff\xfe', 'latin1') }],
  ['an author who is markup', { author: '<script>alert(1)</script> <a@b.c>' }],
  ['an author without name and address', { author: ' <>' }],
  ['an author of a megabyte', { author: `${'x'.repeat(2 ** 20)} <a@b.c>` }],
  ['the year 1', { date: '-62135596800 +0000' }],
  ['the year 292277026596', { date: '9223372036854775807 +0000' }],
  ['a date that is no number', { date: 'yesterday +0000' }],
];

describe('odd but harmless content', () => {
  const oids = new Map<string, string>();
  let repo: string;
  let index: RepositoryIndex;

  beforeAll(async () => {
    let parent: string | undefined;
    for (const [name, told] of HARMLESS) {
      parent = await commit({ ...told, parent });
      oids.set(name, parent);
    }
    repo = await connect();
    index = await indexRepository(repo);
  });

  test.each(HARMLESS)('%s is read as text', async (name) => {
    const oid = oids.get(name)!;
    const number = index.commits.find(oid);
    expect(number).toBeGreaterThanOrEqual(0);
    expect(typeof index.commits.subject(number)).toBe('string');
    await showCommit(repo, oid, {});
    expect(await blame(repo, { commit: oid, path: 'a.js', from: 1, to: 1 })).toHaveLength(1);
    expect(index.code!.fileNumber('a.js')).toBeGreaterThanOrEqual(0);
    expect(existsSync(MARKER)).toBe(false);
  });
});

test('replace refs are ignored', async () => {
  const real = await commit({ message: 'What was written\n' });
  const other = await commit({ message: 'What replaces it\n' });
  await run(['update-ref', `refs/replace/${real}`, other]);
  await run(['update-ref', 'refs/heads/main', real]);
  expect((await indexRepository(await connect())).commits.subject(0)).toBe('What was written');
  await run(['update-ref', '-d', `refs/replace/${real}`]);
});

test('branches named like options and like HEAD are branches', async () => {
  const oid = await commit({});
  const names = ['-x', 'HEAD', '--upload-pack=x', '@', 'größer'];
  writeFileSync(
    join(upstream.path, 'packed-refs'),
    names.map((name) => `${oid} refs/heads/${name}\n`).join(''),
  );
  expect((await indexRepository(await connect())).commits.count).toBe(1);
  await rm(join(upstream.path, 'packed-refs'));
});

test.each<[string, (oid: string) => Promise<void>]>([
  ['lost an object', async (oid) => await rm(join(upstream.path, 'objects', oid.slice(0, 2), oid.slice(2)))],
  [
    'has a damaged pack',
    async () => {
      await run(['repack', '-a', '-d', '-q']);
      const packs = join(upstream.path, 'objects', 'pack');
      const pack = join(packs, readdirSync(packs).find((name) => name.endsWith('.pack'))!);
      const bytes = readFileSync(pack);
      bytes.fill(0x5a, 20, bytes.length - 30);
      chmodSync(pack, 0o600);
      writeFileSync(pack, bytes);
    },
  ],
])('a repository that %s is refused in words', async (_name, damage) => {
  await commit({ entries: [['100644', 'this will be lost\n', 'lost.txt']] });
  await damage(await run(['rev-parse', 'main:lost.txt']));
  await expect(connect()).rejects.toMatchObject({
    code: 'unavailable',
    reason: expect.stringMatching(/^(corrupt|unreachable)$/),
  });
});
