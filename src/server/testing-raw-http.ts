import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Opens a TCP connection to the app, which starts listening on a free port. */
export async function dial(app: FastifyInstance): Promise<Socket> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  // The server may refuse a request without reading it, so that a reset follows its reply.
  return socket.on('error', () => {});
}

/** Reads all bytes until the connection closes, as text. */
export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  if (!socket.closed) await new Promise((closed) => socket.once('close', closed));
  return text;
}

/** Sends a request byte for byte and returns the whole reply. */
export async function sendRaw(app: FastifyInstance, bytes: string): Promise<string> {
  const socket = await dial(app);
  socket.write(bytes, 'latin1');
  return await readAll(socket);
}

/** Parses the status of a raw reply. */
export function statusOf(reply: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1] ?? 0);
}
