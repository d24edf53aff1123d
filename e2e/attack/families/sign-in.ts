import type { HttpRequest } from '../client.ts';
import type { Family, Input } from '../family.ts';
import { newIpAddress, PASSWORD, type User, type World } from '../world.ts';

/*
 * Information about other users from sign-in, invitations and lists. Invariant: replies to existing and to missing
 * accounts are indistinguishable, an email counts only once it is confirmed, and nothing of a project is shown to who has left it.
 */

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const signIn = (username: string, password: string, from: string): HttpRequest => ({
  ...{ method: 'POST', path: '/api/auth/login', headers: FORM, from },
  body: new URLSearchParams({ username, password }).toString(),
});

/** Wrong passwords under one spelling of a name, then under others: all of them must be refused alike. */
const SPELLINGS: [string, (user: User) => string][] = [
  ['the email', ({ email }) => email],
  ['the email in capitals', ({ email }) => email.toUpperCase()],
  ['the name in capitals', ({ username }) => username.toUpperCase()],
  ['the name with blanks', ({ username }) => ` ${username} `],
];

const guesses: Input[] = SPELLINGS.map(([name, spell], index) => ({
  name: `eight wrong passwords by name, then ${name}: existing and unknown accounts`,
  act: async (world) => {
    const existing = await world.signUp(`guess-${index}-${world.mode}`);
    const unknown = { ...existing, username: `ghost-${index}`, email: `ghost-${index}@example.org` };
    const statuses: (number | null)[] = [];
    for (const user of [existing, unknown]) {
      for (let round = 0; round < 8; round++) {
        await world.send('visitor', signIn(user.username, 'wrong', newIpAddress()));
      }
      statuses.push((await world.send('visitor', signIn(spell(user), 'wrong', newIpAddress()))).status);
    }
    const [first, second] = statuses;
    return first === second
      ? null
      : `answers ${first} for an existing account and ${second} for an unknown one`;
  },
  short: index === 0,
}));

/** An account with an unconfirmed email, invited by that email. */
async function invitationOf(world: World, email: string): Promise<string> {
  const body = { role: 'editor', email };
  const path = `/api/projects/${world.projectId}/invitations`;
  const { link } = (await world.prepare('owner', { method: 'POST', path, body })) as { link: string };
  return link.split('#').at(-1) ?? '';
}

const invitations: Input[] = (['accept', 'look'] as const).map((call) => ({
  name: `${call} an invitation to an unconfirmed email`,
  modes: ['services'],
  act: async (world) => {
    const thief = await world.signUp(`thief-${call}`);
    const invitation = await invitationOf(world, thief.email);
    const reply = await world.send(thief, {
      method: 'POST',
      path: `/api/invitations/${call}`,
      body: { invitation },
    });
    return reply.status !== null && reply.status >= 400 ? null : `answered ${reply.status}`;
  },
  short: call === 'accept',
}));

/** Calls about the project by a removed member. */
const MEMBER_PATHS: [string, (id: string) => string][] = [
  ['keys', () => '/api/keys'],
  ['projects', () => '/api/projects'],
  ['sessions', () => '/api/debug/sessions'],
  ['notifications', () => '/api/notifications'],
  ['dashboard', () => '/api/dashboard'],
  ['the project', (id) => `/api/projects/${id}`],
  ['its commits', (id) => `/api/projects/${id}/commits`],
  ['its messages', (id) => `/api/chat/projects/${id}/messages`],
  ['its threads', (id) => `/api/chat/projects/${id}/threads`],
  ['its members', (id) => `/api/projects/${id}/members`],
  ['events', () => '/api/auth/events'],
  ['its log of calls', (id) => `/api/projects/${id}/egress`],
];

const NEW_NAME = 'renamed-after-they-left-b71d';

export const signIns: Family = {
  name: 'sign-in',
  modes: ['default', 'services'],
  inputs: [
    ...guesses,
    ...invitations,
    {
      name: 'what a removed member still sees',
      act: async (world) => {
        const { id } = await world.connect('owner', `left-${world.mode}`, (repo) =>
          repo.commit({ files: { 'a.js': 'a();\n' } }),
        );
        const leaver = await world.signUp(`leaver-${world.mode}`);
        const add = { identifier: leaver.username, role: 'editor' };
        await world.prepare('owner', { method: 'POST', path: `/api/projects/${id}/members`, body: add });
        const key = { name: 'mine', scope: 'read', project_id: id };
        const { key: bearer } = (await world.prepare(leaver, {
          method: 'POST',
          path: '/api/keys',
          body: key,
        })) as { key: string };
        await world.prepare('owner', { method: 'DELETE', path: `/api/projects/${id}/members/${leaver.id}` });
        await world.prepare('owner', {
          method: 'PATCH',
          path: `/api/projects/${id}`,
          body: { name: NEW_NAME },
        });
        const shown: string[] = [];
        for (const [name, path] of MEMBER_PATHS) {
          for (const caller of [leaver, { ...leaver, bearer }]) {
            if ((await world.send(caller, { path: path(id) })).text.includes(NEW_NAME)) shown.push(name);
          }
        }
        return shown.length === 0 ? null : `the project's present name is in ${shown.join(', ')}`;
      },
      short: true,
    },
    ...['alg-none', 'ticket', 'challenge', 'empty', 'huge', 'refresh'].map(
      (kind): Input => ({
        name: `a bearer that is none: ${kind}`,
        requests: () => ({ path: '/api/auth/me', headers: { authorization: `Bearer ${bearerOf(kind)}` } }),
        allowed: [401, 431],
      }),
    ),
    {
      name: 'a new password for who is signed in, without the old one, long after',
      as: 'visitor',
      requests: () => ({ method: 'POST', path: '/api/auth/password', body: { new_password: PASSWORD } }),
      allowed: [401],
    },
  ],
};

function bearerOf(kind: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: 'x', sid: 'y', typ: kind, exp: 9_999_999_999 };
  if (kind === 'alg-none') return `${part({ alg: 'none' })}.${part(claims)}.`;
  if (kind === 'empty') return `${part({ alg: 'HS256' })}.${part(claims)}.`;
  if (kind === 'huge') return 'a'.repeat(12_000);
  return `${part({ alg: 'HS256', typ: kind })}.${part(claims)}.${'A'.repeat(43)}`;
}
