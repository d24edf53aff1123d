import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { isBlocked, isMetadata } from './ip-ranges.ts';
import { checkRemote, parseRemote } from './remote-url.ts';
import { fakeLookup, HOSTILE_URLS } from './testing.ts';

async function codeOf(url: string, allowedPrivateHosts: string[] = []): Promise<string> {
  try {
    await checkRemote(parseRemote(url), { allowedPrivateHosts, lookup: fakeLookup, lookupTimeoutMs: 20 });
    return 'allowed';
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return `${(error as AppError).code} ${(error as AppError).reason}`;
  }
}

const PRIVATE = 'bad_request private_address';
const METADATA = 'bad_request metadata_address';

test.each(HOSTILE_URLS)('%j is refused: %s', async (url, expected) => {
  expect(await codeOf(url)).toBe(expected);
});

describe('addresses that may be reached', () => {
  test('a public https address, also with blanks around it', async () => {
    expect(await codeOf(' https://example.com/owner/name.git ')).toBe('allowed');
    expect(parseRemote('https://EXAMPLE.com:443/a').href).toBe('https://example.com/a');
  });

  test('user name and password are split off and never in the address', () => {
    const address = parseRemote('https://ada:p%40ss@example.com/r');
    expect(address.href).toBe('https://example.com/r');
    expect(address.credentials).toEqual({ username: 'ada', password: 'p@ss' });
  });

  test('an allowed private host, by its exact name and port only', async () => {
    expect(await codeOf('https://git.lan.example.com/r')).toBe(PRIVATE);
    expect(await codeOf('https://git.lan.example.com/r', ['git.lan.example.com'])).toBe('allowed');
    expect(await codeOf('http://git.lan.example.com:8080/r', ['git.lan.example.com:8080'])).toBe('allowed');
    expect(await codeOf('http://git.lan.example.com:8081/r', ['git.lan.example.com:8080'])).toBe(
      'bad_request https_required',
    );
    expect(await codeOf('http://[::1]:8080/r', ['[::1]:8080'])).toBe('allowed');
  });

  test('metadata services stay closed even when their host is allowed', async () => {
    const allowed = ['metadata.example.com', '169.254.169.254', '[fd00:ec2::254]'];
    expect(await codeOf('https://metadata.example.com/r', allowed)).toBe(METADATA);
    expect(await codeOf('http://169.254.169.254/r', allowed)).toBe(METADATA);
    expect(await codeOf('http://[fd00:ec2::254]/r', allowed)).toBe(METADATA);
  });

  test('an ssh address is answered with the https one', () => {
    expect(() => parseRemote('git@github.com:owner/name.git')).toThrow('https://github.com/owner/name.git');
    expect(() => parseRemote('ssh://git@github.com/owner/name.git')).toThrow(
      'https://github.com/owner/name.git',
    );
  });
});

describe('addresses for ssh, where there is a key', () => {
  test.each([
    ['git@github.com:owner/name.git', 'git@github.com:owner/name.git', 22],
    ['GIT@GitHub.com:owner/name.git', 'GIT@github.com:owner/name.git', 22],
    ['ssh://git@github.com/owner/name.git', 'ssh://git@github.com/owner/name.git', 22],
    ['ssh://github.com:22/owner/name.git', 'ssh://git@github.com/owner/name.git', 22],
    ['ssh://me@example.com:2222/~/name.git', 'ssh://me@example.com:2222/~/name.git', 2222],
    ['git@example.com:/srv/name.git', 'git@example.com:/srv/name.git', 22],
  ])('%s is read as %s', (text, href, port) => {
    const address = parseRemote(text, { ssh: true });
    expect(address).toMatchObject({ href, port, protocol: 'ssh:' });
    expect(parseRemote(address.href, { ssh: true })).toEqual(address);
  });

  test.each([
    'ssh://-oProxyCommand=touch%20x/a',
    'ssh://git@-oProxyCommand=x/a',
    'ssh://-l@example.com/a',
    '-oProxyCommand=x@example.com:a',
    'git@-x:a',
    'git@example.com:-x',
    'git@example.com:a b',
    'git@example.com:a\nb',
    'ssh://git@example.com:0/a',
    'ssh://git@example.com:99999/a',
    'ssh://git:secret@example.com/a',
    'ssh://git@example.com/',
  ])('%j is refused', (text) => {
    expect(() => parseRemote(text, { ssh: true })).toThrow(AppError);
  });

  test.each([
    ['git@github.com:a/b', 'allowed'],
    ['git@127.0.0.1:a/b', PRIVATE],
    ['git@2130706433:a/b', 'bad_request unreachable'],
    ['git@mixed.example.com:a/b', PRIVATE],
    ['git@metadata.example.com:a/b', PRIVATE],
    ['git@db.internal:a/b', PRIVATE],
    ['git@localhost:a/b', PRIVATE],
    ['ssh://git@github.com:2222/a', 'bad_request port_not_allowed'],
    ['ssh://git@github.com:443/a', 'bad_request port_not_allowed'],
  ])('the host of %s is checked as any other: %s', async (url, expected) => {
    const policy = { allowedPrivateHosts: [], lookup: fakeLookup, lookupTimeoutMs: 20 };
    const outcome = await checkRemote(parseRemote(url, { ssh: true }), policy).then(
      () => 'allowed',
      (error: AppError) => `${error.code} ${error.reason}`,
    );
    expect(outcome).toBe(expected);
  });
});

describe('blocked ranges', () => {
  test.each([
    '0.1.2.3',
    '10.255.255.255',
    '100.127.255.255',
    '127.255.0.1',
    '169.254.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.19.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'not an address',
  ])('%s', (address) => {
    expect(isBlocked(address)).toBe(true);
  });

  test.each(['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:4700::1', '2a00:1450::1'])(
    '%s is open',
    (address) => {
      expect(isBlocked(address)).toBe(false);
      expect(isMetadata(address)).toBe(false);
    },
  );
});
