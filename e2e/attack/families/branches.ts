import type { Family, Input } from '../family.ts';

/*
 * Names of branches that git, or a file system, cannot keep beside one another. What must hold: 4xx in words, and the same
 * the second time; a name that was refused is free afterwards.
 */

/** Pairs: the second cannot be once the first is there. */
const PAIRS = [
  ['release', 'release/1.0'],
  ['deep/er/one', 'deep/er'],
  ['a/b/c/d', 'a/b'],
  ['Topic', 'topic'],
  ['x1', 'X1'],
  ['caf\u00e9', 'cafe\u0301'],
];

/** Names that cannot be at all. */
const SINGLE = [
  ...[
    'x.lock/y',
    'x.lock',
    'x/.y',
    '.x',
    'refs',
    'refs/heads/x',
    'HEAD',
    'x..y',
    'x//y',
    '/x',
    'x/',
    'x.',
    'x~1',
    'x^',
  ],
  ...[
    'x:y',
    'x?',
    'x*',
    'x[y',
    'x\\y',
    'x y',
    '@',
    '@{u}',
    'x@{0}',
    '-x',
    '--all',
    'origin/main',
    'refs/remotes/origin/main',
  ],
  ...[
    'hindsight',
    'hindsight/someone',
    'HINDSIGHT/a',
    'Hindsight/b',
    'main',
    'master',
    'FETCH_HEAD',
    'ORIG_HEAD',
    'config',
  ],
  ...[
    'con',
    'nul',
    'x'.repeat(200),
    `${'y/'.repeat(90)}z`,
    'a'.repeat(255),
    '0'.repeat(40),
    'deadbeef',
    '\u202ex',
    'x\u200by',
    '$(id)',
  ],
  ...['`id`', '%2e%2e', 'a\nb', 'a\tb', 'objects', 'logs/refs', 'packed-refs', 'hooks/post-receive'],
];

const saveTo = (branch: string) => (world: { projectId: string }) => ({
  method: 'POST',
  path: `/api/ide/projects/${world.projectId}/files/src/branch.js`,
  body: { content: `// ${branch.length}\n`, branch },
});

const singles: Input[] = SINGLE.map((branch, index) => ({
  name: `a branch called ${JSON.stringify(branch.slice(0, 60))}, twice`,
  as: 'editor',
  requests: saveTo(branch),
  times: 2,
  allowed: [200, 400, 409, 422],
  check: (replies) =>
    replies.some(({ status }) => status === 503) ? '503: to be tried again for ever' : null,
  short: index < 6,
}));

const pairs: Input[] = PAIRS.map(([first = '', second = ''], index) => ({
  name: `${JSON.stringify(first)}, then ${JSON.stringify(second)}`,
  as: 'editor',
  requests: (world) => [
    saveTo(first)(world),
    saveTo(second)(world),
    saveTo(second)(world),
    saveTo(first)(world),
  ],
  allowed: [200, 400, 409, 422],
  check: (replies) =>
    replies.some(({ status }) => status === 503) ? '503: to be tried again for ever' : null,
  short: index < 2,
}));

export const branches: Family = { name: 'branches', modes: ['default'], inputs: [...pairs, ...singles] };
