import { once } from 'node:events';
import { type AddressInfo, connect as dial } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { authRoutes } from '#contract/auth.ts';
import type { SocketMessage } from '#contract/events.ts';
import { insertProject } from '../projects/queries.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;
let host: string;

beforeAll(async () => {
  server = await testApp();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  host = `127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** A browser's end of the line, which keeps what it hears. */
interface Line {
  socket: WebSocket;
  messages: SocketMessage[];
  /** The message at this place, as soon as it is there. */
  at(index: number): Promise<SocketMessage>;
  closed: Promise<number>;
}

function open(token: string | null, { path = '/ws/notifications', origin = `http://${host}` } = {}): Line {
  const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
  const socket = new WebSocket(`ws://${host}${path}${query}`, { headers: { origin } });
  const messages: SocketMessage[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString()) as SocketMessage;
    // Every line begins with the count of notifications, which has a test of its own.
    if (message.type !== 'notification_count_update') messages.push(message);
  });
  socket.on('error', () => {});
  const closed = new Promise<number>((settle) => socket.on('close', settle));
  const at = async (index: number) => {
    while (messages.length <= index) await once(socket, 'message');
    return messages[index]!;
  };
  return { socket, messages, at, closed };
}

async function opened(token: string): Promise<Line> {
  const line = open(token);
  await once(line.socket, 'open');
  return line;
}

/** The status with which a handshake is refused. */
async function refusal(line: Line): Promise<number | undefined> {
  const [, response] = await once(line.socket, 'unexpected-response');
  response.destroy();
  return response.statusCode;
}

const ticket = async (user: TestUser) => (await server.call(authRoutes.socketTicket, {}, user)).body.ticket;

const project = async (owner: TestUser) =>
  await insertProject(server.deps.db, {
    name: 'demo',
    gitUrl: 'https://git.example/demo',
    description: null,
    ownerId: owner.id,
  });

test('connections without a valid token, from another origin or at another path are refused', async () => {
  const user = await server.signUp();
  expect(await refusal(open(null))).toBe(401);
  expect(await refusal(open('x'))).toBe(401);
  expect(await refusal(open(user.refreshToken))).toBe(401);
  expect(await refusal(open(user.accessToken, { origin: 'https://evil.example' }))).toBe(400);
  expect(await refusal(open(user.accessToken, { origin: 'null' }))).toBe(400);
  expect(await refusal(open(user.accessToken, { path: '/ws/other' }))).toBe(404);
});

test('an ended session is refused; a client without an Origin header is accepted', async () => {
  const user = await server.signUp();
  server.advance(31 * 60);
  expect(await refusal(open(user.accessToken))).toBe(401);
  server.advance(-31 * 60);
  const program = new WebSocket(`ws://${host}/ws/notifications?token=${user.accessToken}`);
  await once(program, 'open');
  program.terminate();
});

test('an authorization header is not accepted, and a handshake with a body is refused', async () => {
  const user = await server.signUp();
  const bearer = new WebSocket(`ws://${host}/ws/notifications`, {
    headers: { authorization: `Bearer ${user.accessToken}`, 'content-length': '5' },
  });
  bearer.on('error', () => {});
  const [, withBody] = await once(bearer, 'unexpected-response');
  expect(withBody.statusCode).toBe(400);
  const plain = new WebSocket(`ws://${host}/ws/notifications`, {
    headers: { authorization: `Bearer ${user.accessToken}` },
  });
  plain.on('error', () => {});
  const [, refused] = await once(plain, 'unexpected-response');
  expect(refused.statusCode).toBe(401);
});

test('a ticket authorizes one connection once', async () => {
  const user = await server.signUp();
  const single = await ticket(user);
  await opened(single);
  expect(await refusal(open(single))).toBe(429);
});

test('members receive updates of their project with their own role; others receive none', async () => {
  const [owner, viewer, stranger] = [await server.signUp(), await server.signUp(), await server.signUp()];
  const { id } = await project(owner);
  await server.deps.db
    .insertInto('project_members')
    .values({ project_id: id, user_id: viewer.id, role: 'viewer' })
    .execute();
  const lines = await Promise.all([owner, viewer, stranger].map((user) => opened(user.accessToken)));
  server.deps.events.emit({ type: 'project-changed', projectId: id });
  expect(await lines[0]!.at(0)).toMatchObject({ type: 'project_updated', project: { id, role: 'owner' } });
  expect(await lines[1]!.at(0)).toMatchObject({ type: 'project_updated', project: { id, role: 'viewer' } });

  server.deps.events.emit({ type: 'project-removed', projectId: id, userIds: [owner.id, stranger.id] });
  expect(await lines[2]!.at(0)).toEqual({ type: 'project_deleted', project_id: id });
  for (const line of lines) line.socket.terminate();
});

test('frequent changes are throttled, and the last state is always sent', async () => {
  const owner = await server.signUp();
  const { id } = await project(owner);
  const line = await opened(owner.accessToken);
  const started = performance.now();
  for (let count = 1; count <= 50; count += 1) {
    await server.deps.db
      .updateTable('projects')
      .set({ name: `name ${count}` })
      .where('id', '=', id)
      .execute();
    server.deps.events.emit({ type: 'project-changed', projectId: id });
  }
  const last = () => {
    const message = line.messages.at(-1);
    return message?.type === 'project_updated' ? message.project.name : undefined;
  };
  while (last() !== 'name 50') await once(line.socket, 'message');
  // Four a second.
  const limit = Math.ceil((performance.now() - started) / 250) + 3;
  expect(line.messages.length).toBeLessThanOrEqual(limit);
  line.socket.terminate();
});

test('signing out closes the sockets of that session only', async () => {
  const user = await server.signUp();
  const again = await server.signIn(user);
  const [first, second] = [await opened(user.accessToken), await opened(again.accessToken)];
  await server.call(authRoutes.logout, {}, user);
  expect(await first.closed).toBe(4401);
  expect(second.socket.readyState).toBe(WebSocket.OPEN);
  second.socket.terminate();
});

test('of fifty sockets of one user the last five stay open', async () => {
  const user = await server.signUp();
  const lines = [];
  for (let count = 0; count < 50; count += 1) lines.push(await opened(user.accessToken));
  for (const line of lines.slice(0, 45)) expect(await line.closed).toBe(4408);
  expect(lines.slice(45).every((line) => line.socket.readyState === WebSocket.OPEN)).toBe(true);
  for (const line of lines) line.socket.terminate();
});

test('a socket closes when its access token expires', async () => {
  const user = await server.signUp();
  server.advance(30 * 60 + 25);
  const line = await opened(user.accessToken);
  expect(await line.closed).toBe(4401);
});

test.each([
  ['a frame of 1 MiB', (line: Line) => line.socket.send(Buffer.alloc(2 ** 20)), 1009],
  [
    'a stream of small frames',
    (line: Line) => void Array.from({ length: 50 }, () => line.socket.send('x')),
    1008,
  ],
])('%s ends the connection', async (_name, send, code) => {
  const user = await server.signUp();
  const line = await opened(user.accessToken);
  send(line);
  expect(await line.closed).toBe(code);
});

test.each([
  ['an unmasked frame', Buffer.from([0x81, 0x01, 0x78])],
  ['text that is not UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
])('%s ends the connection and nothing else', async (_name, frame) => {
  const user = await server.signUp();
  const stream = dial(Number(host.split(':')[1]), '127.0.0.1');
  stream.write(
    `GET /ws/notifications?token=${user.accessToken} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\n` +
      'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  const [head] = await once(stream, 'data');
  expect(head.toString()).toMatch(/^HTTP\/1.1 101/);
  stream.write(frame);
  await once(stream, 'close');
  expect((await server.app.inject('/healthz')).statusCode).toBe(200);
});

test('shutdown closes every socket without waiting', async () => {
  const other = await testApp();
  await other.app.listen({ host: '127.0.0.1', port: 0 });
  const user = await other.signUp();
  const { port } = other.app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/notifications?token=${user.accessToken}`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  await other.close();
  expect((await closed)[0]).toBe(1001);
});

test('of four hundred concurrent connections five stay open, by tickets and by access tokens', async () => {
  const user = await server.signUp();
  const tickets = await Promise.all(Array.from({ length: 200 }, () => ticket(user)));
  const closed: number[] = [];
  const sockets = [...tickets, ...Array<string>(200).fill(user.accessToken)].map(
    (token) => open(token).socket,
  );
  for (const socket of sockets) socket.on('close', (code: number) => closed.push(code));
  await expect.poll(() => closed.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(395);
  await new Promise((settled) => setTimeout(settled, 500));
  expect(sockets.filter((socket) => socket.readyState === WebSocket.OPEN)).toHaveLength(5);
  expect(new Set(closed)).toEqual(new Set([4408]));
  for (const socket of sockets) socket.terminate();
});
