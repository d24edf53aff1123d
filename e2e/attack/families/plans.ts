import { mapAtOnce } from '../client.ts';
import type { Family, Input } from '../family.ts';
import { PASSWORD, type User, type World } from '../world.ts';

/*
 * Limits of a plan, spent from many sides at once. What must hold: counts that cost money or space are taken inside the
 * transaction that spends them. The plan Free has room for three projects.
 */

const ROOM = 3;

const build = (repo: Parameters<Parameters<World['connect']>[2]>[0]) =>
  repo.commit({ message: 'Begin', files: { 'README.md': '# One\n' } });

async function countOwned(world: World, user: User): Promise<number> {
  const { text } = await world.send(user, { path: '/api/projects' });
  return (JSON.parse(text) as { role: string }[]).filter(({ role }) => role === 'owner').length;
}

async function connectAtOnce(world: World, user: User, count: number): Promise<void> {
  const git_url = await world.repositories.url('one', build);
  const bodies = Array.from({ length: count }, (_, index) => ({ name: `p${index}`, git_url }));
  await mapAtOnce(bodies, count, (body) => world.send(user, { method: 'POST', path: '/api/projects', body }));
}

async function handOver(world: World, from: User, to: User): Promise<void> {
  const { text } = await world.send(from, { path: '/api/projects' });
  const own = (JSON.parse(text) as { id: string; role: string }[]).filter(({ role }) => role === 'owner');
  await Promise.all(
    own.map(async ({ id }) => {
      const member = { identifier: to.username, role: 'editor' };
      await world.send(from, { method: 'POST', path: `/api/projects/${id}/members`, body: member });
      const body = { user_id: to.id, current_password: PASSWORD };
      await world.send(from, { method: 'PUT', path: `/api/projects/${id}/owner`, body });
    }),
  );
}

const parallel: Input[] = [4, 9, 20, 40].map((count) => ({
  name: `${count} projects at once`,
  act: async (world) => {
    const user = await world.signUp(`many-${count}`);
    await connectAtOnce(world, user, count);
    const owned = await countOwned(world, user);
    return owned <= ROOM ? null : `${owned} projects on a plan with room for ${ROOM}`;
  },
  short: count === 9,
}));

export const plans: Family = {
  name: 'plans',
  modes: ['services'],
  inputs: [
    ...parallel,
    {
      name: 'three projects each from two people, handed over at once',
      act: async (world) => {
        const [one, two, recipient] = [
          await world.signUp('giver-1'),
          await world.signUp('giver-2'),
          await world.signUp('taker'),
        ];
        await connectAtOnce(world, one, ROOM);
        await connectAtOnce(world, two, ROOM);
        await Promise.all([handOver(world, one, recipient), handOver(world, two, recipient)]);
        const owned = await countOwned(world, recipient);
        return owned <= ROOM ? null : `${owned} projects on a plan with room for ${ROOM}`;
      },
      short: true,
    },
    {
      name: 'connecting while projects are handed over',
      act: async (world) => {
        const [giver, recipient] = [await world.signUp('giver-3'), await world.signUp('taker-2')];
        await connectAtOnce(world, giver, ROOM);
        await Promise.all([handOver(world, giver, recipient), connectAtOnce(world, recipient, ROOM)]);
        const owned = await countOwned(world, recipient);
        return owned <= ROOM ? null : `${owned} projects on a plan with room for ${ROOM}`;
      },
    },
    {
      name: 'ten trials at once',
      act: async (world) => {
        const user = await world.signUp('trials');
        const requests = Array(10).fill({
          method: 'POST',
          path: '/api/payments/subscription/trial',
          body: {},
        });
        const replies = await mapAtOnce(requests, 10, (request) => world.send(user, request));
        const started = replies.filter(({ status }) => status !== null && status < 300).length;
        return started <= 1 ? null : `${started} trials`;
      },
    },
    {
      name: 'deleting and connecting in turn',
      act: async (world) => {
        const user = await world.signUp('turns');
        await connectAtOnce(world, user, ROOM);
        const { text } = await world.send(user, { path: '/api/projects' });
        const [first] = JSON.parse(text) as { id: string }[];
        await Promise.all([
          world.send(user, { method: 'DELETE', path: `/api/projects/${first?.id}` }),
          connectAtOnce(world, user, 6),
        ]);
        const owned = await countOwned(world, user);
        return owned <= ROOM ? null : `${owned} projects on a plan with room for ${ROOM}`;
      },
    },
  ],
};
