import { mapAtOnce } from '../client.ts';
import type { Family, Input } from '../family.ts';
import { newIpAddress, PASSWORD, type World } from '../world.ts';

/*
 * Ways around limits and headers: other spellings of a path, other ways in. What must hold: a limit is decided by the
 * route that answers, whatever the text of the URL, and for every way in alike.
 */

/** Spellings that the router reads as `/api/...`, or does not read at all. */
const SPELLINGS = [
  ...['/%61pi', '/a%70i', '/ap%69', '/%61%70%69', '/%61p%69'],
  ...['//api', '/./api', '/x/../api', '/API', '/api/', '/api;x=y', '/%2fapi', '/api%2f', '/api%00', '\\api'],
];

const spellings: Input[] = SPELLINGS.flatMap((prefix, index) => [
  {
    name: `headers of ${prefix}/auth/me`,
    as: 'viewer',
    requests: () => ({ path: `${prefix}/auth/me` }),
    check: ([reply]) => {
      if (reply?.status !== 200 || !String(reply.headers['content-type']).includes('json')) return null;
      const { 'cache-control': cache = '', 'content-security-policy': policy = '' } = reply.headers;
      if (cache !== 'no-store') return `a reply of the API may be stored: ${cache}`;
      return String(policy).includes('sandbox') ? null : 'a reply of the API has the policy of a page';
    },
    short: index < 4,
  },
]);

/** Without the spelling that is no HTTP: the parser refuses it before any limit. */
const floods: Input[] = SPELLINGS.filter((prefix) => prefix.startsWith('/')).map((prefix, index) => ({
  name: `900 calls of ${prefix}/payments/plans from one IP address`,
  modes: ['public'],
  act: async (world) => {
    const path = `${prefix}/payments/plans`;
    const from = newIpAddress();
    const replies = await mapAtOnce(Array(900).fill(path), 20, () => world.send('visitor', { path, from }));
    const passed = replies.filter(
      ({ status, headers }) => status === 200 && String(headers['content-type']).includes('json'),
    );
    return passed.length > 610 ? `${passed.length} of 900 passed; 600 are allowed` : null;
  },
  short: index === 0,
}));

const RPC = { accept: 'application/json, text/event-stream' };
const use = (name: string, args: object, projectId: string) => ({
  ...{ method: 'POST', path: '/mcp', headers: RPC },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { ...args, project: projectId } },
  },
});

/** Questions by another way in than the API's own. */
const tools: Input[] = [
  ['investigate_error', { error: 'TypeError: x is not a function at src/cart.js:3:1' }, 30],
  ['search_code', { query: 'price' }, 310],
  ['similar_fixes', { error: 'crash in cart' }, 310],
].map(([name, args, limit]) => ({
  name: `340 uses of ${name} over MCP within a minute`,
  modes: ['public'],
  act: async (world) => {
    const user = await join(world, `mcp-${String(name).replace('_', '-')}`);
    const request = use(name as string, args as object, world.projectId);
    const replies = await mapAtOnce(Array(340).fill(request), 8, (one) => world.send(user, one));
    const passed = replies.filter(({ status, text }) => status === 200 && !text.includes('"isError":true'));
    return passed.length > (limit as number) ? `${passed.length} of 340 passed; ${limit} are allowed` : null;
  },
  short: name === 'investigate_error',
}));

async function join(world: World, name: string) {
  const user = await world.signUp(`${name}-${world.mode}`.slice(0, 32));
  const body = { identifier: user.username, role: 'viewer' };
  await world.prepare('owner', { method: 'POST', path: `/api/projects/${world.projectId}/members`, body });
  return user;
}

/** Rejected calls from one IP address must not block what its neighbours need. */
const spent: Input[] = [
  ['junk invitations', '/api/auth/invitation', () => ({ token: 'x'.repeat(40) })],
  ['links to confirm an email', '/api/auth/verify-email', () => ({ token: 'x'.repeat(40) })],
  [
    'second factors without a challenge',
    '/api/auth/two-factor/sign-in',
    () => ({ challenge: 'x', code: '000000' }),
  ],
  ['renewals without a sign-in', '/api/auth/refresh', () => ({ refresh_token: 'x.1.y' })],
  [
    'links of forgotten passwords',
    '/api/auth/reset-password',
    () => ({ token: 'x'.repeat(43), new_password: PASSWORD }),
  ],
  ['emails to unknown accounts', '/api/auth/forgot-password', () => ({ email: 'nobody@example.org' })],
].map(([name, path, body]) => ({
  name: `40 ${name}, then a sign-up from the same IP address`,
  act: async (world) => {
    const from = newIpAddress();
    for (let index = 0; index < 40; index++) {
      await world.send('visitor', {
        method: 'POST',
        path: path as string,
        body: (body as () => object)(),
        from,
      });
    }
    const username = `after-${(path as string).split('/').at(-1)}-${world.mode}`.slice(0, 32);
    const account = { username, email: `${username}@example.org`, password: PASSWORD };
    const reply = await world.send('visitor', {
      method: 'POST',
      path: '/api/auth/register',
      body: account,
      from,
    });
    return reply.status === 201 ? null : `signing up answered ${reply.status}`;
  },
  short: name === 'junk invitations',
}));

/** IP addresses that a caller forges in headers. */
const FORGED = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'via',
];
const forged: Input[] = FORGED.map((header) => ({
  name: `60 sign-ins, each with another ${header}`,
  act: async (world) => {
    const from = newIpAddress();
    const statuses: (number | null)[] = [];
    for (let index = 0; index < 60; index++) {
      const value = header === 'forwarded' ? `for=203.0.113.${index}` : `203.0.113.${index}`;
      const headers = { [header]: value, 'content-type': 'application/x-www-form-urlencoded' };
      const body = `username=nobody${index}-${header}&password=wrong`;
      const reply = await world.send('visitor', {
        method: 'POST',
        path: '/api/auth/login',
        headers,
        body,
        from,
      });
      statuses.push(reply.status);
    }
    return statuses.includes(429) ? null : 'none of 60 sign-ins from one IP address was rejected';
  },
}));

export const limits: Family = {
  name: 'limits',
  modes: ['default', 'public'],
  inputs: [...spellings, ...floods, ...tools, ...spent, ...forged],
};
