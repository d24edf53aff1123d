import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import type { MessageParams } from '#locales/format-message.ts';
import { isBlocked, isMetadata } from './ip-ranges.ts';
import { parseFileUrl, resolveLocalFolder } from './local-folder.ts';

/** Parsed URL of a git remote. Only `href` may reach git or the network. */
export interface RemoteUrl {
  /** Normalized, without user name and password; SSH keeps the user name, since it is part of the URL. */
  href: string;
  protocol: 'https:' | 'http:' | 'ssh:' | 'file:';
  /** Host as it is looked up: lower case, no brackets, no dot at the end; empty for a folder of this machine. */
  host: string;
  /** 0 for a folder of this machine. */
  port: number;
  credentials: { username: string; password: string } | null;
}

/** An IP address of a host name. */
export interface IpAddress {
  address: string;
  family: 4 | 6;
}

/** Finds all addresses of a name; rejects when there are none. */
type Lookup = (host: string) => Promise<IpAddress[]>;

/** Rules for the hosts that may be reached. */
export interface EgressPolicy {
  /** `host` or `host:port`: may be private, and may use plain http. */
  allowedPrivateHosts: string[];
  /** Absolute paths of folders whose repositories may be connected; none when absent. */
  localRoots?: string[];
  /** Bundles of sample repositories by name, for URLs such as `sample:name`; none when absent. */
  samples?: Readonly<Record<string, string>>;
  /** Loads private hosts that are allowed beside `allowedPrivateHosts`, before each connection. */
  loadAllowedHosts?: () => Promise<string[]>;
  lookup?: Lookup;
  /** Milliseconds for finding a name; 5000 when absent. */
  lookupTimeoutMs?: number;
}

const MAX_URL_LENGTH = 2048;

/** Scheme of repositories that come with the program. */
const SAMPLE_SCHEME = 'sample:';

/** `ssh://user@host:port/path`, or `user@host:path` as ssh itself writes it. Nothing in it can be taken for an option. */
const SSH_URL =
  /^ssh:\/\/(?:(?<user>\w[\w.-]*)@)?(?<at>[a-z0-9][a-z0-9.-]*)(?::(?<port>\d{1,5}))?(?<path>\/[^\p{Cc}\s\\?#]+)$/iu;
const SSH_SHORT =
  /^(?<user>\w[\w.-]*)@(?<at>[a-z0-9][a-z0-9.-]*):(?!\/\/)(?<path>[^\p{Cc}\s\\?#:-][^\p{Cc}\s\\?#]*)$/iu;

/**
 * Parses the URL of a git remote. Throws `invalid_input` when it is malformed, `bad_request` when it is well
 * formed but of a kind that is never allowed. `checkRemote` decides whether its host may be reached. An SSH
 * URL is refused, with the HTTPS URL in the message, unless there is a key for it.
 */
export function parseRemote(text: string, { ssh = false }: { ssh?: boolean } = {}): RemoteUrl {
  const trimmed = text.replace(/^ +| +$/g, '');
  const bySsh = trimmed.length <= MAX_URL_LENGTH ? parseSshUrl(trimmed) : null;
  if (bySsh !== null) {
    if (ssh) return bySsh.address;
    throw refused('ssh_key_required', 'ssh_url_without_key', {
      url: `https://${bySsh.address.host}/${bySsh.path}`,
    });
  }
  if (/^sample:[a-z-]{1,40}$/.test(trimmed))
    return { href: trimmed, protocol: 'file:', host: '', port: 0, credentials: null };
  const folder = trimmed.length <= MAX_URL_LENGTH ? parseFileUrl(trimmed) : null;
  if (folder !== null) return { href: folder, protocol: 'file:', host: '', port: 0, credentials: null };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'https' && scheme !== 'http') {
    throw wrongScheme();
  }
  // WHATWG parsing would quietly repair a backslash, a tab or a missing slash: what is odd is refused instead.
  const isPlain = /^https?:\/\/[^\p{Cc}\s\\?#]+$/iu.test(trimmed);
  const url = isPlain && trimmed.length <= MAX_URL_LENGTH ? URL.parse(trimmed) : null;
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
 * Returns the URL to pass to git. Throws `bad_request` unless scheme, port, host name and every IP address of it are allowed,
 * or for a local folder its location.
 */
export async function checkRemote(address: RemoteUrl, policy: EgressPolicy): Promise<string> {
  if (address.protocol === 'file:') {
    const { localRoots = [], samples = {} } = policy;
    const sample = address.href.slice(SAMPLE_SCHEME.length);
    if (address.href.startsWith(SAMPLE_SCHEME) && Object.hasOwn(samples, sample)) return samples[sample]!;
    if (address.href.startsWith(SAMPLE_SCHEME)) throw wrongScheme();
    if (localRoots.length === 0) throw wrongScheme();
    return await resolveLocalFolder(address.href, localRoots);
  }
  const allowed = isAllowedPrivate(address.host, address.port, policy.allowedPrivateHosts);
  if (address.protocol === 'http:' && !allowed) {
    throw refused('https_required', 'git_url_https_only');
  }
  if (address.port !== DEFAULT_PORT[address.protocol] && !allowed) {
    throw refused('port_not_allowed', 'git_port_not_allowed', { port: address.port });
  }
  await resolveHost(address.host, address.port, policy);
  return address.href;
}

/**
 * Finds the addresses of a host and returns them only when all of them may be reached, so that what is dialled
 * is what was checked. Throws `bad_request`: reason `private_address` or `unreachable`.
 */
export async function resolveHost(host: string, port: number, policy: EgressPolicy): Promise<IpAddress[]> {
  const allowed = isAllowedPrivate(host, port, policy.allowedPrivateHosts);
  if (!allowed && PRIVATE_NAME.test(host)) {
    throw privateAddressError(host);
  }
  const family = isIP(host);
  const found =
    family === 0 ? await lookUpWithin(host, policy) : [{ address: host, family: family as 4 | 6 }];
  if (allowed && found.some(({ address }) => isMetadata(address)))
    throw refused('metadata_address', 'metadata_address', { host });
  if (!allowed && found.some(({ address }) => isBlocked(address))) throw privateAddressError(host);
  return found;
}

/** True when `host:port` is on the operator's list; an entry without a port covers 443, 80 and 22. */
export function isAllowedPrivate(host: string, port: number, allowedPrivateHosts: string[]): boolean {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return allowedPrivateHosts.some(
    (entry) =>
      entry === `${name}:${port}` || (entry === name && (port === 443 || port === 80 || port === 22)),
  );
}

/** True for an IP address, with or without a port, that no administrator can allow. */
export function isMetadataHost(host: string): boolean {
  const ip = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? host;
  return isIP(ip) !== 0 && isMetadata(ip);
}

const DEFAULT_PORT = { 'https:': 443, 'http:': 80, 'ssh:': 22 } as const;
const wrongScheme = () => refused('scheme_not_allowed', 'git_url_scheme');
const PRIVATE_NAME = /(?:^|\.)(?:local|internal|localhost|home\.arpa)\.?$/i;

async function lookUpWithin(host: string, policy: EgressPolicy): Promise<IpAddress[]> {
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

const systemLookup: Lookup = async (host) => (await dnsLookup(host, { all: true })) as IpAddress[];

/** Parses an SSH URL, with its path as in HTTPS; null for any other URL. */
function parseSshUrl(text: string): { address: RemoteUrl; path: string } | null {
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

function splitCredentials(url: URL): RemoteUrl['credentials'] {
  if (url.username === '' && url.password === '') {
    return null;
  }
  let credentials: RemoteUrl['credentials'];
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

function privateAddressError(host: string): AppError {
  return refused('private_address', 'private_address', { host });
}
