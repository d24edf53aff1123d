import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP server of the attacker. */
export interface RawServer {
  /** Waits up to 3 s for all connections to close; returns the number of open ones. */
  drain(): Promise<number>;
  close(): void;
}

/** Listens on a loopback port and hands every connection to `onConnection`. */
export async function serveRaw(port: number, onConnection: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    // An unread socket does not notice that the other side has closed.
    socket.resume();
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    async drain() {
      for (let round = 0; round < 30 && sockets.size > 0; round++) await sleep(100);
      return sockets.size;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
