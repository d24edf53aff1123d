import { afterAll, beforeAll, expect, test } from 'vitest';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, testApp } from '../testing.ts';
import { ipKey, subnetKey } from './rate-limiter.ts';

let server: TestApp;
let ipCount = 0;

beforeAll(async () => {
  server = await testApp({ stopsClock: true });
});
afterAll(() => server.close());

/** An address of its own for each try, each in another network, so that only the account counts. */
const elsewhere = () => {
  ipCount += 1;
  return `10.${100 + (ipCount >> 8)}.${ipCount & 255}.1`;
};

const tryLogin = async (username: string, password: string, remoteAddress = elsewhere()) =>
  await server.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username, password }).toString(),
    remoteAddress,
  });

test.each(['known', 'unknown'])(
  'guessing at an account that is %s: five free tries, then doubling waits',
  async (kind) => {
    const name = kind === 'known' ? (await server.signUp('target')).email : 'nobody@example.org';
    for (let free = 0; free < 5; free += 1) expect((await tryLogin(name, 'wrong one')).statusCode).toBe(401);
    for (const wait of [1, 2, 4, 8, 16, 30, 30]) {
      const early = await tryLogin(name, 'wrong one');
      expect(early.statusCode).toBe(429);
      expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
      server.advance(wait);
      expect((await tryLogin(name, 'wrong one')).statusCode).toBe(401);
    }
  },
);

test('the correct password is delayed too, and then clears the failures', async () => {
  const user = await server.signUp('patient');
  for (let free = 0; free < 5; free += 1) await tryLogin(user.email, 'wrong one');
  expect((await tryLogin(user.email, user.password)).statusCode).toBe(429);
  server.advance(1);
  expect((await tryLogin(user.email, user.password)).statusCode).toBe(200);
  for (let free = 0; free < 5; free += 1)
    expect((await tryLogin(user.email, 'wrong one')).statusCode).toBe(401);
});

test.each(['username', 'email'] as const)(
  'wrong tries at the %s do not tell which account it belongs to',
  async (first) => {
    const user = await server.signUp(`carl-${first}`);
    const typed = first === 'username' ? user.username : user.email;
    const other = first === 'username' ? user.email : user.username;
    for (let count = 0; count < 6; count += 1) await tryLogin(typed.toUpperCase(), 'wrong one');
    expect((await tryLogin(typed, 'wrong one')).statusCode).toBe(429);
    const stranger = first === 'username' ? 'carl@another.example' : 'another-carl';
    const [same, different] = [await tryLogin(other, 'wrong one'), await tryLogin(stranger, 'wrong one')];
    expect([same.statusCode, same.json().error.message]).toEqual([
      different.statusCode,
      different.json().error.message,
    ]);
    expect((await tryLogin(other, user.password)).statusCode).toBe(200);
  },
);

test('failures by username and by email are delayed like those of two unknown accounts', async () => {
  const user = await server.signUp('twonames');
  const statusesOf = async (names: string[]) => {
    const statuses = [];
    for (let round = 0; round < 12; round += 1) {
      statuses.push((await tryLogin(names[round % 2]!, 'wrong one')).statusCode);
    }
    return statuses;
  };
  const known = await statusesOf([user.email, user.username]);
  expect(known).toEqual(await statusesOf(['nobody-here@example.org', 'nobody-here']));
  expect(known.slice(10)).toEqual([429, 429]);
});

test('invalid invitations and failed registrations do not block sign-up for others with the same IP', async () => {
  const remoteAddress = '10.61.0.1';
  const post = async (path: string, payload: object) =>
    (await server.inject({ method: 'POST', url: `/api/auth/${path}`, payload, remoteAddress })).statusCode;
  const taken = await server.signUp('office');
  const body = { username: taken.username, email: 'x@example.org', password: 'a quiet harbour at dawn' };
  for (let junk = 0; junk < 40; junk += 1) {
    expect(await post('invitation', { token: `junk${junk}` })).toBe(404);
    expect(await post('register', body)).toBe(409);
  }
  expect(await post('register', { ...body, username: 'colleague' })).toBe(201);
  for (let junk = 0; junk < 20; junk += 1) await post('invitation', { token: `junk${junk}` });
  expect(await post('invitation', { token: 'junk' })).toBe(429);
  expect(await post('register', { ...body, username: 'colleague2', email: 'y@example.org' })).toBe(201);
});

test('concurrent attempts are limited like sequential ones', async () => {
  const user = await server.signUp('flooded');
  const replies = await Promise.all(Array.from({ length: 40 }, () => tryLogin(user.email, 'wrong one')));
  const checked = replies.filter((reply) => reply.statusCode === 401);
  expect(checked).toHaveLength(5);
});

test('ten failures within a quarter of an hour lock the account for that network only', async () => {
  const user = await server.signUp('besieged');
  for (let failure = 0; failure < 10; failure += 1) {
    expect((await tryLogin(user.email, 'wrong one', `10.50.0.${failure}`)).statusCode).toBe(401);
    server.advance(31);
  }
  expect((await tryLogin(user.email, user.password, '10.50.0.99')).statusCode).toBe(429);
  server.advance(31);
  expect((await tryLogin(user.email, user.password, '10.51.0.1')).statusCode).toBe(200);
});

test('after a hundred consecutive failures each attempt is delayed by an hour', async () => {
  const user = await server.signUp('hammered');
  await tryLogin(user.email, 'wrong one');
  await server.deps.db
    .updateTable('rate_limits')
    .set({ count: 100, last_at: server.deps.now() })
    .where('key', 'like', 'login:in-a-row:%')
    .execute();
  server.advance(3599);
  expect((await tryLogin(user.email, user.password)).statusCode).toBe(429);
  server.advance(2);
  expect((await tryLogin(user.email, user.password)).statusCode).toBe(200);
});

test('one IP has thirty sign-in attempts a minute, whatever its headers', async () => {
  const send = async (index: number) =>
    await server.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `203.0.113.${index}`,
      },
      payload: `username=somebody${index}&password=wrong`,
      remoteAddress: '10.60.0.1',
    });
  const replies = [];
  for (let index = 0; index < 32; index += 1) replies.push((await send(index)).statusCode);
  expect(replies.slice(0, 30).every((status) => status === 401)).toBe(true);
  expect(replies.slice(30)).toEqual([429, 429]);
});

test('one IP creates thirty accounts an hour', async () => {
  const body = (index: number) => ({
    username: `mass${index}`,
    email: `mass${index}@example.org`,
    password: 'a quiet harbour at dawn',
  });
  const statuses = [];
  for (let index = 0; index < 31; index += 1) {
    statuses.push((await server.call(authRoutes.register, { body: body(index) })).status);
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});

test.each([
  ['192.0.2.17', '192.0.2.17', '192.0.2/24'],
  ['::ffff:192.0.2.17', '192.0.2.17', '192.0.2/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2/64', '2001:db8:1:2/64'],
  ['2001:db8::6', '2001:db8:0:0/64', '2001:db8:0:0/64'],
  ['::1', '0:0:0:0/64', '0:0:0:0/64'],
])('%s counts as %s in the network %s', (ip, address, network) => {
  expect(ipKey(ip)).toBe(address);
  expect(subnetKey(ip)).toBe(network);
});
