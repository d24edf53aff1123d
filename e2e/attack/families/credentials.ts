import type { Family, Input } from '../family.ts';
import type { User, World } from '../world.ts';

/*
 * A credential is bound to the URL and the user it was entered for. Invariant: no one who takes over a project, and
 * no other URL, ever has it sent to the git server.
 */

const TOKEN = 'credential-of-the-owner-6e1f';

/** URLs that a new owner tries, from the URL that the credential is for. */
const OTHER: Record<string, (url: string) => string> = {
  'another repository of the host': (url) => url.replace('private-shared', 'private-other'),
  'a folder above': (url) => url.replace('/private-shared.git', '/'),
  'another spelling of the path': (url) =>
    url.replace('private-shared.git', 'private-shared.git/../private-other.git'),
  'an escaped path': (url) =>
    url.replace('private-shared.git', 'private-shared.git%2f..%2fprivate-other.git'),
  'another case': (url) =>
    url.replace('private-other', 'PRIVATE-other').replace('private-shared', 'private-Other'),
  'a name of the same host': (url) => url.replace('127.0.0.1', 'localhost').replace('shared', 'other'),
  'a number of the same host': (url) => url.replace('127.0.0.1', '2130706433').replace('shared', 'other'),
  'a user in the URL': (url) => url.replace('https://', 'https://someone@').replace('shared', 'other'),
  'without its ending': (url) => url.replace('private-shared.git', 'private-other'),
  'a longer path': (url) => url.replace('private-shared.git', 'private-shared.git/private-other.git'),
};

async function shareProject(world: World, name: string): Promise<{ id: string; url: string; next: User }> {
  const build = (repo: Parameters<Parameters<typeof world.connect>[2]>[0]) =>
    repo.commit({ message: 'Begin', files: { 'README.md': '# Private\n' } });
  await world.repositories.url('private-shared', build);
  const url = world.repositories.secureUrl('private-shared');
  await world.repositories.url('private-other', build);
  const owner = await world.signUp(`${name}-owner`.slice(0, 32));
  const next = await world.signUp(`${name}-next`.slice(0, 32));
  const credential = { kind: 'token', username: 'git', token: TOKEN };
  const body = { name, git_url: url, credential };
  const { id } = (await world.prepare(owner, { method: 'POST', path: '/api/projects', body })) as {
    id: string;
  };
  await world.untilIndexed(owner, id, 20_000);
  await world.prepare(owner, {
    method: 'POST',
    path: `/api/projects/${id}/members`,
    body: { identifier: next.username, role: 'editor' },
  });
  const handover = { user_id: next.id, current_password: 'a quiet harbour at dawn' };
  await world.prepare(owner, { method: 'PUT', path: `/api/projects/${id}/owner`, body: handover });
  return { id, url, next };
}

const moves: Input[] = Object.entries(OTHER).map(([name, spell], index) => ({
  name: `handed over, then moved to ${name}`,
  act: async (world) => {
    const { id, url, next } = await shareProject(world, `move-${index}`);
    const before = world.repositories.seen(TOKEN).length;
    await world.send(next, { method: 'PATCH', path: `/api/projects/${id}`, body: { git_url: spell(url) } });
    await world.untilIndexed(next, id, 10_000);
    const sent = world.repositories.seen(TOKEN).slice(before);
    return sent.length === 0 ? null : `the former owner's token was sent to ${sent[0]}`;
  },
  short: index === 0,
}));

export const credentials: Family = {
  name: 'credentials',
  modes: ['default'],
  inputs: [
    ...moves,
    ...(['credential/test', 'refresh'] as const).map((call) => ({
      name: `handed over, then ${call}`,
      act: async (world: World) => {
        const { id, next } = await shareProject(world, `use-${call.replace('/', '-')}`);
        const before = world.repositories.seen(TOKEN).length;
        await world.send(next, { method: 'POST', path: `/api/projects/${id}/${call}` });
        await world.untilIndexed(next, id, 10_000);
        const reply = await world.send(next, { path: `/api/projects/${id}/credential` });
        if (reply.text.includes(TOKEN)) return 'the token is shown';
        // The same URL may go on being read with it; nothing else may.
        const sent = world.repositories.seen(TOKEN).slice(before);
        return sent.every((url) => url.startsWith('/private-shared.git'))
          ? null
          : `sent to ${sent.join(', ')}`;
      },
    })),
  ],
};
