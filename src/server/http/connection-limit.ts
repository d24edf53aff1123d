import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../deps.ts';
import { ipKey } from '../rate-limit/rate-limiter.ts';

/**
 * Closes connections of one IP beyond the limit before reading them. Not enforced behind a trusted proxy, from which all
 * connections come.
 */
export function limitConnections(
  app: FastifyInstance,
  { maxConnectionsPerIp, trustProxy }: Pick<ServerConfig, 'maxConnectionsPerIp' | 'trustProxy'>,
): void {
  if (trustProxy !== false) return;
  const open = new Map<string, number>();
  app.server.on('connection', (socket) => {
    const key = ipKey(socket.remoteAddress ?? '');
    const count = (open.get(key) ?? 0) + 1;
    if (count > maxConnectionsPerIp) return void socket.destroy();
    open.set(key, count);
    socket.once('close', () => {
      const left = open.get(key)! - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}
