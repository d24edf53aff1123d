import { join } from 'node:path';
import type { HttpRequest } from '../client.ts';
import type { Family, Input } from '../family.ts';
import { diskUsage } from '../process-tree.ts';
import { type AttackRepository, wideTree } from '../repositories.ts';
import type { User, World } from '../world.ts';

/*
 * Small repositories that hold a lot: what must hold is that every reply stays small and quick, that indexing stops at its
 * limits, and that memory and disk come back.
 */

/** One commit of a side branch adds 100,000 paths of 3 KB. */
async function buildSideBranch(repo: AttackRepository): Promise<void> {
  await repo.commit({ message: 'Begin', files: { 'README.md': '# Wide\n' } });
  const tree = await wideTree(repo, { width: 316, pathBytes: 3000 });
  await repo.commit({
    branch: 'side',
    parent: 'refs/heads/main',
    message: 'Add very much',
    trees: { wide: tree },
  });
  await repo.git(['tag', 'side-tag', 'side']);
}

/** So many commits, each of which adds 10,000 new paths of 1.2 KB and takes the former away: the head holds few. */
async function buildRenames(repo: AttackRepository): Promise<void> {
  await repo.commit({ message: 'Begin', files: { 'README.md': '# Renames\n' } });
  for (let index = 0; index < 30; index++) {
    const tree = await wideTree(repo, { width: 100, pathBytes: 1200, tag: `t${index}` });
    await repo.commit({
      message: `Move everything, ${index}`,
      files: index > 0 ? { [`w${index - 1}`]: null } : {},
      trees: { [`w${index}`]: tree },
    });
  }
  await repo.commit({ message: 'Take all away', files: { w29: null, 'a.js': 'export const a = 1;\n' } });
}

/** Everything else that is long: messages, names, diffs, branches, parents. */
async function buildLong(repo: AttackRepository): Promise<void> {
  await repo.commit({
    message: 'Begin',
    files: { 'README.md': '# Long\n', 'big.txt': 'x\n'.repeat(300_000) },
  });
  await repo.commit({
    message: `Long message\n\n${'word '.repeat(800_000)}`,
    files: { 'a.js': 'export const a = 1;\n' },
  });
  await repo.commit({ message: 'x'.repeat(2_000_000), files: { 'b.js': 'b();\n' } });
  await repo.commit({
    message: 'Author',
    author: `${'A'.repeat(200_000)} <a@example.org>`,
    files: { 'c.js': 'c();\n' },
  });
  await repo.commit({ message: 'Turn all lines', files: { 'big.txt': 'y\n'.repeat(300_000) } });
  await repo.commit({
    message: 'One long line',
    files: { 'line.js': `const a = "${'z'.repeat(900_000)}";\n` },
  });
  await repo.commit({ message: 'Deep', files: { [`${'d/'.repeat(1500)}deep.js`]: 'deep();\n' } });
  const names = Object.fromEntries(
    Array.from({ length: 3000 }, (_, i) => [`flat/f${i}.js`, `export const f${i} = ${i};\n`]),
  );
  await repo.commit({ message: 'Three thousand files', files: names });
  const head = await repo.git(['rev-parse', 'main']);
  const refs = Array.from({ length: 20_000 }, (_, index) => `create refs/heads/b${index} ${head}`);
  await repo.git(['update-ref', '--stdin'], `${refs.join('\n')}\n`);
}

/** Maximum size on disk of the project of a repository of a few hundred kilobytes. */
const MAX_INDEX_BYTES = 256 * 2 ** 20;

let attacker: User;
/** Name of the repository → the project. */
const projects: Record<string, { id: string; sha: string }> = {};

const BUILD: Record<string, (repo: AttackRepository) => Promise<void>> = {
  side: buildSideBranch,
  renames: buildRenames,
  long: buildLong,
};

async function connect(world: World, name: string, timeoutMs: number): Promise<string | null> {
  const { id, status } = await world.connect(attacker, name, BUILD[name]!, { timeoutMs });
  const branch = name === 'side' ? 'side' : 'main';
  projects[name] = { id, sha: await world.repositories.open(name).git(['rev-parse', branch]) };
  const taken = await diskUsage(join(world.server.dataDir, 'projects', id));
  if (taken > MAX_INDEX_BYTES) return `took ${Math.round(taken / 2 ** 20)} MiB on disk`;
  return status === 'timeout' ? 'was neither indexed nor refused in time' : null;
}

const on = (name: string) => projects[name] ?? { id: 'missing', sha: '0'.repeat(40) };
const ask = (path: () => string, body?: () => unknown) => (): HttpRequest => ({
  ...(body && { method: 'POST', body: body() }),
  path: `/api${path()}`,
});

/** Reads of a repository that must stay small, by its name. */
const READS: [string, string, () => HttpRequest, Partial<Input>?][] = [
  ['side', 'the commit', ask(() => `/projects/${on('side').id}/commits/${on('side').sha}`), { short: true }],
  [
    'side',
    'the commit, abbreviated',
    ask(() => `/projects/${on('side').id}/commits/${on('side').sha.slice(0, 8)}`),
  ],
  ['side', 'the list of commits', ask(() => `/projects/${on('side').id}/commits?limit=200`)],
  ['side', 'its history', ask(() => `/history/commits/${on('side').id}?limit=200`)],
  [
    'side',
    'the tree of the branch',
    ask(() => `/ide/projects/${on('side').id}/files?ref=side`),
    { short: true },
  ],
  ['side', 'the tree of the tag', ask(() => `/ide/projects/${on('side').id}/files?ref=side-tag`)],
  ['side', 'one folder', ask(() => `/ide/projects/${on('side').id}/files?ref=side&path=wide`)],
  ['side', 'a search at the branch', ask(() => `/search?project_id=${on('side').id}&q=wide&revision=side`)],
  [
    'side',
    'a debug answer at the branch',
    ask(
      () => '/debug',
      () => ({
        error_message: 'x is not a function at wide/x.txt:1',
        project_id: on('side').id,
        revision: 'side',
      }),
    ),
  ],
  ['side', 'mentions', ask(() => `/chat/projects/${on('side').id}/mentions?q=n`)],
  ['side', 'lines', ask(() => `/search/lines?project_id=${on('side').id}&q=x`)],
  [
    'renames',
    'the list of commits',
    ask(() => `/projects/${on('renames').id}/commits?limit=200`),
    { short: true },
  ],
  ['renames', 'its history', ask(() => `/history/commits/${on('renames').id}`)],
  ['renames', 'the newest commit', ask(() => `/projects/${on('renames').id}/commits/${on('renames').sha}`)],
  ['renames', 'a search', ask(() => `/search?project_id=${on('renames').id}&q=everything`)],
  ['renames', 'a search in the history', ask(() => `/search/history?project_id=${on('renames').id}&q=t3`)],
  ['renames', 'mentions', ask(() => `/chat/projects/${on('renames').id}/mentions?q=t`)],
  ['renames', 'skipped files', ask(() => `/projects/${on('renames').id}/skipped?limit=200`)],
  ['long', 'the list of commits', ask(() => `/projects/${on('long').id}/commits?limit=200`)],
  ['long', 'its history', ask(() => `/history/commits/${on('long').id}`)],
  ['long', 'a search for a message', ask(() => `/search?project_id=${on('long').id}&q=word`)],
  ['long', 'the tree', ask(() => `/ide/projects/${on('long').id}/files`)],
  ['long', 'the long line', ask(() => `/projects/${on('long').id}/files/line.js`)],
  ['long', 'all lines of a file', ask(() => `/projects/${on('long').id}/files/big.txt?from=1&to=300000`)],
  ['long', 'lines that all files have', ask(() => `/search/lines?project_id=${on('long').id}&q=y&limit=500`)],
  [
    'long',
    'words of the history that all lines have',
    ask(() => `/search/history?project_id=${on('long').id}&q=y&match=exact&limit=50`),
  ],
  ['long', 'an old revision', ask(() => `/search?project_id=${on('long').id}&q=a&revision=2024-01-01`)],
  ['long', 'the newest commit', ask(() => `/projects/${on('long').id}/commits/${on('long').sha}`)],
];

export const repositories: Family = {
  name: 'repositories',
  modes: ['default'],
  maxDiskBytes: 512 * 2 ** 20,
  async setup(world) {
    attacker = await world.signUp(`wide-${world.mode}`);
  },
  inputs: [
    {
      name: 'connecting 100,000 paths of 3 KB on a side branch',
      act: (world) => connect(world, 'side', 60_000),
      short: true,
    },
    ...READS.filter(([name]) => name === 'side').map(toInput),
    {
      name: 'ten times the commit at once',
      act: (world) => together(world, 10, `/api/projects/${on('side').id}/commits/${on('side').sha}`),
      short: true,
    },
    {
      name: 'ten times the list at once',
      act: (world) => together(world, 10, `/api/projects/${on('side').id}/commits?limit=50`),
    },
    {
      name: 'connecting 30 commits of 10,000 new paths each',
      act: (world) => connect(world, 'renames', 120_000),
    },
    ...READS.filter(([name]) => name === 'renames').map(toInput),
    {
      name: 'connecting long messages, names, lines, folders and 20,000 branches',
      act: (world) => connect(world, 'long', 120_000),
    },
    ...READS.filter(([name]) => name === 'long').map(toInput),
    {
      name: 'deleting them gives memory and disk back',
      act: async (world) => {
        for (const { id } of Object.values(projects)) {
          await world.send(attacker, { method: 'DELETE', path: `/api/projects/${id}` });
        }
        return null;
      },
      short: true,
    },
  ],
};

function toInput([name, what, request, more]: (typeof READS)[number]): Input {
  return {
    name: `${name}: ${what}`,
    act: async (world) => {
      await world.send(attacker, request());
      return null;
    },
    ...more,
  };
}

async function together(world: World, count: number, path: string): Promise<null> {
  await Promise.all(Array.from({ length: count }, () => world.send(attacker, { path })));
  return null;
}
