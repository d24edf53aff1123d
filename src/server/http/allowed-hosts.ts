import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { ServerConfig } from '../deps.ts';
import { HEALTH_PATHS } from './health.ts';

/** `name` or `[IPv6]`, with or without a port; no user, no zone, no other characters. */
const HOST = /^(?:\[([\da-f:.]{2,45})\]|([\w.-]{1,253}))(?::\d{0,5})?$/i;

const MAX_PORT = 65_535;

type HostConfig = Pick<ServerConfig, 'publicUrl' | 'allowedHosts'>;

/**
 * Refuses requests for unknown host names to prevent DNS rebinding, by which a page of another site resolves its own name to
 * this machine. Health checks contain no data and are served under every name.
 */
export function requireAllowedHost(app: FastifyInstance, config: HostConfig): void {
  const isKnown = createHostMatcher(config);
  app.addHook('onRequest', async (request) => {
    // An absolute request target contains a second host name; browsers send it to proxies only.
    if (!(request.raw as { originalUrl?: string }).originalUrl?.startsWith('/')) {
      throw new AppError('bad_request', 'target_not_a_path');
    }
    if (HEALTH_PATHS.includes(request.routeOptions.url ?? '')) return;
    const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
      throw new AppError('bad_request', 'several_hosts');
    }
    if (!isKnown(request.host)) throw misdirected(request.host);
  });
}

/** Creates a predicate over the Host header: `localhost`, IPs, and the hosts of the settings are allowed. */
function createHostMatcher({ publicUrl, allowedHosts }: HostConfig): (host: string) => boolean {
  const own = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const names = ['localhost', ...own, ...allowedHosts].map(toAscii);
  const exact = new Set(names.filter((name) => !name.startsWith('.')));
  const suffixes = names.filter((name) => name.startsWith('.'));
  return (host) => {
    const [, address, name = ''] = HOST.exec(host) ?? [];
    if (Number(/:(\d+)$/.exec(host.replace(/^\[.*\]/, ''))?.[1] ?? 0) > MAX_PORT) return false;
    if (address !== undefined) return isIP(address) === 6;
    const lower = name.toLowerCase();
    return (
      isIP(lower) === 4 ||
      exact.has(lower) ||
      suffixes.some((suffix) => lower.endsWith(suffix) || lower === suffix.slice(1))
    );
  };
}

/** Normalizes a host name as browsers send it: lower case, and punycode for non-ASCII labels. */
function toAscii(name: string): string {
  const dot = name.startsWith('.') ? '.' : '';
  return dot + (domainToASCII(name.slice(dot.length)) || name.slice(dot.length).toLowerCase());
}

function misdirected(host: string): AppError {
  const reason = 'host_not_allowed';
  if (!HOST.test(host)) return new AppError('misdirected', 'unnamed_host_not_allowed', { reason });
  const params = { host: host.replace(/:\d*$/, '') };
  return new AppError('misdirected', 'host_not_allowed', { params, reason });
}
