import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../deps.ts';

/** Returns the URL of this server from its settings or its listening socket, never from request headers. */
export function resolvePublicUrl(
  app: FastifyInstance,
  { publicUrl }: Pick<ServerConfig, 'publicUrl'>,
): string {
  if (publicUrl) return publicUrl;
  const [listening] = app.addresses();
  if (!listening || typeof listening === 'string') return 'http://localhost';
  const { address, family, port } = listening;
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
