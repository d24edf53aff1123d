import { lookup as dnsLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import type { MessageParams } from '#locales/format-message.ts';
import { openFolder, readFileAddress } from './local-folder.ts';

/** The address of a git remote, parsed once. Only `href` may reach git or the network. */
export interface RemoteAddress {
  /** Normal form without user name and password; by ssh the name stays, since it is part of the address. */
  href: string;
  protocol: 'https:' | 'http:' | 'ssh:' | 'file:';
  /** Host as it is looked up: lower case, no brackets, no dot at the end; empty for a folder of this machine. */
  host: string;
  /** 0 for a folder of this machine. */
  port: number;
  credentials: { username: string; password: string } | null;
}

/** An address that a name stands for. */
export interface HostAddress {
  address: string;
  family: 4 | 6;
}

/** Finds all addresses of a name; rejects when there are none. */
export type Lookup = (host: string) => Promise<HostAddress[]>;

/** What decides whether a host may be reached. */
export interface AddressPolicy {
  /** `host` or `host:port`: may be private, and may use plain http. */
  allowedPrivateHosts: string[];
  /** Absolute paths of folders whose repositories may be connected; none when absent. */
  localRoots?: string[];
  lookup?: Lookup;
  /** Milliseconds for finding a name; 5000 when absent. */
  lookupTimeoutMs?: number;
}

const MAX_URL = 2048;

/** `ssh://user@host:port/path`, or `user@host:path` as ssh itself writes it. Nothing in it can be taken for an option. */
const SSH_URL =
  /^ssh:\/\/(?:(?<user>\w[\w.-]*)@)?(?<at>[a-z0-9][a-z0-9.-]*)(?::(?<port>\d{1,5}))?(?<path>\/[^\p{Cc}\s\\?#]+)$/iu;
const SSH_SHORT =
  /^(?<user>\w[\w.-]*)@(?<at>[a-z0-9][a-z0-9.-]*):(?!\/\/)(?<path>[^\p{Cc}\s\\?#:-][^\p{Cc}\s\\?#]*)$/iu;

/**
 * Reads the address of a git remote. Throws `invalid_input` when it is malformed, `bad_request` when it is well
 * formed but of a kind that is never allowed. Whether its host may be reached is `checkRemote`'s to say. An address for
 * ssh is refused, with the one for https in words, unless there is a key for it.
 */
export function parseRemote(text: string, { ssh = false }: { ssh?: boolean } = {}): RemoteAddress {
  const trimmed = text.replace(/^ +| +$/g, '');
  const bySsh = trimmed.length <= MAX_URL ? readSsh(trimmed) : null;
  if (bySsh !== null) {
    if (ssh) return bySsh.address;
    throw refused('ssh_address', 'ssh_url_without_key', {
      url: `https://${bySsh.address.host}/${bySsh.path}`,
    });
  }
  const folder = trimmed.length <= MAX_URL ? readFileAddress(trimmed) : null;
  if (folder !== null) return { href: folder, protocol: 'file:', host: '', port: 0, credentials: null };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'https' && scheme !== 'http') {
    throw wrongScheme();
  }
  // WHATWG parsing would quietly repair a backslash, a tab or a missing slash: what is odd is refused instead.
  const isPlain = /^https?:\/\/[^\p{Cc}\s\\?#]+$/iu.test(trimmed);
  const url = isPlain && trimmed.length <= MAX_URL ? URL.parse(trimmed) : null;
  if (url === null || url.pathname === '/' || url.hostname === '' || url.port === '0') {
    throw malformed();
  }
  const credentials = splitCredentials(url);
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (!/^[a-z0-9[]/.test(url.hostname)) {
    throw malformed();
  }
  const protocol = url.protocol as 'https:' | 'http:';
  return {
    href: url.href,
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT[protocol] : Number(url.port),
    credentials,
  };
}

/**
 * What git may be given for an address. Throws `bad_request` unless it may be reached: scheme, port, name, and every
 * address of the name; of a folder of this machine, where it lies.
 */
export async function checkRemote(address: RemoteAddress, policy: AddressPolicy): Promise<string> {
  if (address.protocol === 'file:') {
    const { localRoots = [] } = policy;
    if (localRoots.length === 0) throw wrongScheme();
    return await openFolder(address.href, localRoots);
  }
  const allowed = isAllowedPrivate(address.host, address.port, policy.allowedPrivateHosts);
  if (address.protocol === 'http:' && !allowed) {
    throw refused('plain_http', 'git_url_https_only');
  }
  if (address.port !== DEFAULT_PORT[address.protocol] && !allowed) {
    throw refused('port', 'git_port_not_allowed', { port: address.port });
  }
  await findAddresses(address.host, address.port, policy);
  return address.href;
}

/**
 * Finds the addresses of a host and returns them only when all of them may be reached, so that what is dialled
 * is what was checked. Throws `bad_request`: reason `private_address` or `unreachable`.
 */
export async function findAddresses(
  host: string,
  port: number,
  policy: AddressPolicy,
): Promise<HostAddress[]> {
  const allowed = isAllowedPrivate(host, port, policy.allowedPrivateHosts);
  if (!allowed && PRIVATE_NAME.test(host)) {
    throw privateAddress(host);
  }
  const family = isIP(host);
  const found = family === 0 ? await lookUp(host, policy) : [{ address: host, family: family as 4 | 6 }];
  if (found.some(({ address }) => (allowed ? isMetadata(address) : isBlocked(address)))) {
    throw privateAddress(host);
  }
  return found;
}

/** Whether `host:port` is on the operator's list; an entry without a port stands for 443, 80 and 22. */
export function isAllowedPrivate(host: string, port: number, allowedPrivateHosts: string[]): boolean {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return allowedPrivateHosts.some(
    (entry) =>
      entry === `${name}:${port}` || (entry === name && (port === 443 || port === 80 || port === 22)),
  );
}

/** Whether an IP address lies outside the public internet, or is not an IP address at all. */
export function isBlocked(address: string): boolean {
  const bare = unmap(address);
  const family = isIP(bare);
  if (family === 0) {
    return true;
  }
  // Without the family, BlockList takes every address for IPv4 and finds nothing.
  const blocked =
    family === 4 ? BLOCKED.check(bare, 'ipv4') : BLOCKED.check(bare, 'ipv6') || !GLOBAL.check(bare, 'ipv6');
  return blocked || isOwnAddress(bare);
}

/** Whether an IP address belongs to a cloud's metadata service or the link: blocked even for allowed hosts. */
export function isMetadata(address: string): boolean {
  const bare = unmap(address);
  const family = isIP(bare);
  return family === 0 || METADATA.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}

const DEFAULT_PORT = { 'https:': 443, 'http:': 80, 'ssh:': 22 } as const;
const wrongScheme = () => refused('scheme', 'git_url_scheme');
const PRIVATE_NAME = /(?:^|\.)(?:local|internal|localhost|home\.arpa)\.?$/i;

const BLOCKED = blockList(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
);
/** Of IPv6 only this is given out; loopback, mapped, NAT64, unique local and link local lie outside. */
const GLOBAL = blockList('2000::/3');
const METADATA = blockList(
  '169.254.0.0/16 168.63.129.16/32 100.100.100.200/32 192.0.0.192/32 fe80::/10 fd00:ec2::/32 fd20:ce::/32',
);

function blockList(...lines: string[]): BlockList {
  const list = new BlockList();
  for (const range of lines.join(' ').split(' ')) {
    const [network, prefix] = range.split('/') as [string, string];
    list.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** `::ffff:7f00:1` → `127.0.0.1`; other addresses as they are. */
function unmap(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) {
    return bare;
  }
  const normal = URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1) ?? bare;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(normal) ?? [];
  if (high === undefined || low === undefined) {
    return normal;
  }
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)] as const;
  return [bits[0] >> 8, bits[0] & 255, bits[1] >> 8, bits[1] & 255].join('.');
}

function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address));
}

async function lookUp(host: string, policy: AddressPolicy): Promise<HostAddress[]> {
  const lookup = policy.lookup ?? systemLookup;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the name server is silent')), policy.lookupTimeoutMs ?? 5000);
  });
  try {
    const found = await Promise.race([lookup(host), late]);
    if (found.length > 0) {
      return found;
    }
    throw new Error('no addresses');
  } catch (cause) {
    throw new AppError('bad_request', 'host_not_found', { params: { host }, reason: 'unreachable', cause });
  } finally {
    clearTimeout(timer);
  }
}

const systemLookup: Lookup = async (host) => (await dnsLookup(host, { all: true })) as HostAddress[];

/** The address of a remote by ssh, with its path as https would have it; null for any other. */
function readSsh(text: string): { address: RemoteAddress; path: string } | null {
  const short = SSH_SHORT.exec(text)?.groups;
  const { user = 'git', at, path, port: digits = '22' } = short ?? SSH_URL.exec(text)?.groups ?? {};
  const port = Number(digits);
  if (at === undefined || path === undefined || port === 0 || port > 65_535) return null;
  const host = at.toLowerCase().replace(/\.+$/, '');
  const long = `ssh://${user}@${host}${port === 22 ? '' : `:${port}`}${path}`;
  const href = short ? `${user}@${host}:${path}` : long;
  return {
    address: { href, protocol: 'ssh:', host, port, credentials: null },
    path: path.replace(/^\/+/, ''),
  };
}

function splitCredentials(url: URL): RemoteAddress['credentials'] {
  if (url.username === '' && url.password === '') {
    return null;
  }
  let credentials: RemoteAddress['credentials'];
  try {
    credentials = {
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    };
  } catch {
    throw malformed();
  }
  if (/\p{Cc}/u.test(credentials.username + credentials.password)) {
    throw malformed();
  }
  url.username = '';
  url.password = '';
  return credentials;
}

function malformed(): AppError {
  return new AppError('invalid_input', 'git_url_malformed', {
    reason: 'malformed',
    fields: { git_url: 'git_url_malformed' },
  });
}

function refused(reason: string, key: ErrorKey, params: MessageParams = {}): AppError {
  return new AppError('bad_request', key, { params, reason, fields: { git_url: { key, params } } });
}

function privateAddress(host: string): AppError {
  return refused('private_address', 'private_address', { host });
}
