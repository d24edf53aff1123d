import { once } from 'node:events';
import { type AddressInfo, connect as dial, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { SocketMessage } from '#contract/events.ts';
import { type Connections, createConnections } from './websocket-connections.ts';

/** Peers that misbehave, on a real line, without waiting for real minutes. */

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const part of open.splice(0)) part.close();
});

const CALLER = { userId: 'ada', sessionId: 's', role: 'user' } as const;
const MESSAGE = { type: 'project_deleted', project_id: 'x'.repeat(32_000) } as SocketMessage;

async function setUp(): Promise<{ connections: Connections; port: number }> {
  const connections = createConnections();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 1024 });
  open.push(server, connections);
  await once(server, 'listening');
  server.on('connection', (socket) => connections.add(socket, CALLER));
  return { connections, port: (server.address() as AddressInfo).port };
}

/** A peer by hand: it has shaken hands and does nothing by itself. */
async function rawPeer(port: number): Promise<Socket> {
  const stream = dial(port, '127.0.0.1');
  stream.on('error', () => {});
  stream.write(
    `GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  await once(stream, 'data');
  return stream;
}

test('a client that does not read is disconnected, and one that reads receives every message', async () => {
  const { connections, port } = await setUp();
  const reader = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(reader, 'open');
  const slow = await rawPeer(port);
  slow.pause();
  let dropped = false;
  slow.once('close', () => {
    dropped = true;
  });
  let received = 0;
  reader.on('message', () => {
    received += 1;
  });
  let sent = 0;
  // The system's own buffers take some megabytes first.
  for (; sent < 2000 && !dropped; sent += 1) {
    connections.send('ada', MESSAGE);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (sent > 400) slow.resume();
  }
  expect(dropped).toBe(true);
  await expect.poll(() => received).toBe(sent);
  expect(connections.userIds()).toEqual(['ada']);
  reader.terminate();
});

test('a client that answers no ping is disconnected at the third', async () => {
  const { connections, port } = await setUp();
  const dead = await rawPeer(port);
  const closed = once(dead, 'close');
  dead.resume();
  for (let round = 0; round < 3; round += 1) connections.ping();
  await closed;
});

test('a client that answers pings stays connected', async () => {
  const { connections, port } = await setUp();
  const alive = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(alive, 'open');
  for (let round = 0; round < 5; round += 1) {
    connections.ping();
    await once(alive, 'ping');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(alive.readyState).toBe(WebSocket.OPEN);
  alive.terminate();
});

test('an endless fragmented message is cut off at a kilobyte', async () => {
  const { port } = await setUp();
  const peer = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(peer, 'open');
  const closed = once(peer, 'close');
  for (let piece = 0; piece < 20; piece += 1) peer.send('x'.repeat(100), { fin: false });
  const [code] = await closed;
  expect(code).toBe(1009);
});
