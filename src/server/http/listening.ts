import { isIPv4 } from 'node:net';

/** True when the server accepts connections from other machines. */
export function listensBeyondLoopback({ host }: { host: string }): boolean {
  return !(host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.')));
}
