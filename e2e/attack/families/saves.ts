import { randomBytes } from 'node:crypto';
import { mapAtOnce, type Reply } from '../client.ts';
import type { Family, Input } from '../family.ts';
import { diskUsage } from '../process-tree.ts';
import type { World } from '../world.ts';

/*
 * Saves of one editor in great number, and saves that are refused. What must hold: others do not wait for them, and what is
 * refused leaves nothing behind.
 */

const MIB = 2 ** 20;
/** Text that compresses to little less than itself. */
const noise = (bytes: number) => randomBytes(Math.floor((bytes * 3) / 4)).toString('base64');

const save = ({ projectId }: World, path: string, body: object) => ({
  ...{ method: 'POST', path: `/api/ide/projects/${projectId}/files/${path}`, body },
});

/** So many savers at once. */
const parallel: Input[] = [
  [30, 90, 'one file', (_: number) => 'src/many.js'],
  [100, 200, 'one file', (_: number) => 'src/many.js'],
  [100, 200, 'a file each', (index: number) => `src/many/${index}.js`],
].map(([atOnce, count, what, path]) => ({
  name: `${atOnce} savers at once to ${what}`,
  act: async (world) => {
    const items = Array.from({ length: count as number }, (_, index) => index);
    await mapAtOnce(items, atOnce as number, (index) =>
      world.send('editor', save(world, (path as (n: number) => string)(index), { content: `${index}\n` })),
    );
    return null;
  },
  slowestMs: 10_000,
  short: atOnce === 30,
}));

/** Saves that must be refused, thirty times with 700 KB of noise. */
const REFUSED: [string, (content: string) => [string, object], number[]][] = [
  ['a base that is old', (content) => ['README.md', { content, base_sha: '0'.repeat(40) }], [400, 404, 409]],
  [
    'a base that is no commit',
    (content) => ['README.md', { content, base_sha: 'f'.repeat(40) }],
    [400, 404, 409],
  ],
  ['a path that cannot be', (content) => ['.git/config', { content }], [400, 422]],
  ['a path through a file', (content) => ['README.md/x.js', { content }], [400, 409]],
  ['a branch that cannot be', (content) => ['a.js', { content, branch: '../x' }], [400, 409]],
  ['the branch of another user', (content) => ['a.js', { content, branch: 'hindsight/nobody' }], [400, 409]],
  [
    'a former path that is not there',
    (content) => ['b.js', { content, renamed_from: 'not/there.js' }],
    [400, 404, 409],
  ],
];

const refused: Input[] = REFUSED.map(([name, make, allowed], index) => ({
  name: `30 saves of 700 KB with ${name}`,
  act: async (world) => {
    const before = await diskUsage(world.server.dataDir);
    const replies = await mapAtOnce(Array.from({ length: 30 }), 4, () => {
      const [path, body] = make(noise(700_000));
      return world.send('editor', save(world, path, body));
    });
    const grown = (await diskUsage(world.server.dataDir)) - before;
    if (grown > 8 * MIB) return `refused saves left ${Math.round(grown / MIB)} MiB`;
    return wrongStatus(replies, allowed);
  },
  short: index === 0,
}));

/** By people who may not write at all. */
const foreign: Input[] = (['viewer', 'stranger', 'visitor'] as const).map((who) => ({
  name: `20 saves of 700 KB by a ${who}`,
  act: async (world) => {
    const before = await diskUsage(world.server.dataDir);
    const replies = await mapAtOnce(Array.from({ length: 20 }), 4, () =>
      world.send(who, save(world, 'a.js', { content: noise(700_000) })),
    );
    const grown = (await diskUsage(world.server.dataDir)) - before;
    if (grown > 4 * MIB) return `refused saves left ${Math.round(grown / MIB)} MiB`;
    return wrongStatus(replies, [401, 404, 409]);
  },
}));

function wrongStatus(replies: Reply[], allowed: number[]): string | null {
  // 401 ends the connection before the body is there.
  const wrong = replies.find(({ status }) => status !== null && ![...allowed, 429, 503].includes(status));
  return wrong ? `${wrong.status} ${wrong.text.slice(0, 120)}` : null;
}

export const saves: Family = {
  name: 'saves',
  modes: ['default'],
  maxDiskBytes: 128 * MIB,
  inputs: [...parallel, ...refused, ...foreign],
};
