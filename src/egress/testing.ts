import type { EgressPolicy } from './remote-url.ts';

const PUBLIC = '93.184.216.34';
const NAMES: Record<string, string[]> = {
  'example.com': [PUBLIC, '2606:2800:220:1:248:1893:25c8:1946'],
  'a.com': [PUBLIC],
  host: [PUBLIC],
  'github.com': [PUBLIC],
  'mixed.example.com': [PUBLIC, '10.0.0.1'],
  'git.lan.example.com': ['192.168.1.5'],
  'metadata.example.com': ['169.254.169.254'],
};
/** A name server of fixed answers: `example.com` is public, `mixed.example.com` half private, `silent.…` never answers. */
export const fakeLookup: NonNullable<EgressPolicy['lookup']> = async (host) => {
  if (host === 'silent.example.com') {
    return new Promise(() => {});
  }
  const addresses = NAMES[host];
  if (addresses === undefined) {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  }
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const MALFORMED = 'invalid_input malformed';
const PRIVATE = 'bad_request private_address';

/** Addresses that must be refused before git runs, each with the error's code and reason (with `fakeLookup`). */
export const HOSTILE_URLS: [string, string][] = [
  ['', MALFORMED],
  ['  ', MALFORMED],
  [`https://example.com/${'x'.repeat(4076)}`, MALFORMED],
  ['not a url', MALFORMED],
  ['javascript:alert(1)', 'bad_request scheme_not_allowed'],
  ['data:text/html,x', 'bad_request scheme_not_allowed'],
  ['file:///etc/passwd', 'bad_request scheme_not_allowed'],
  ['/etc', MALFORMED],
  ['../x.git', MALFORMED],
  ['C:\\repo', MALFORMED],
  ['\\\\host\\share', MALFORMED],
  ['ext::sh -c "touch /tmp/x"', 'bad_request scheme_not_allowed'],
  ['EXT::sh -c id', 'bad_request scheme_not_allowed'],
  ['fd::17', 'bad_request scheme_not_allowed'],
  ['ssh://-oProxyCommand=touch%20x/a', 'bad_request scheme_not_allowed'],
  ['git@host:x/y.git', 'bad_request ssh_key_required'],
  ['git://host/x', 'bad_request scheme_not_allowed'],
  ['ftp://host/x', 'bad_request scheme_not_allowed'],
  ['--upload-pack=touch /tmp/x', MALFORMED],
  ['-u', MALFORMED],
  ['-c protocol.ext.allow=always', MALFORMED],
  ['https://127.0.0.1/r', PRIVATE],
  ['https://127.1/r', PRIVATE],
  ['https://0x7f.1/r', PRIVATE],
  ['https://2130706433/r', PRIVATE],
  ['https://0177.0.0.1/r', PRIVATE],
  ['https://①②⑦.⓪.⓪.①/r', PRIVATE],
  ['https://0/r', PRIVATE],
  ['https://localhost./r', PRIVATE],
  ['https://[::1]/r', PRIVATE],
  ['https://[::ffff:7f00:1]/r', PRIVATE],
  ['https://[::ffff:a9fe:a9fe]/latest/meta-data', PRIVATE],
  ['https://[64:ff9b::a9fe:a9fe]/r', PRIVATE],
  ['https://[2002:7f00:1::]/r', PRIVATE],
  ['https://169.254.169.254./r', PRIVATE],
  ['https://100.64.0.1/r', PRIVATE],
  ['https://168.63.129.16/r', PRIVATE],
  ['https://a.com\\@127.0.0.1/r', MALFORMED],
  ['https://a.com:443@127.0.0.1:9000/r', 'bad_request port_not_allowed'],
  ['https://127.0.0.1#@github.com/r', MALFORMED],
  ['https:127.0.0.1/r', MALFORMED],
  ['https://ex\tample.com/r', MALFORMED],
  ['https://github.com:22/x', 'bad_request port_not_allowed'],
  ['https://github.com:0/x', MALFORMED],
  ['https://github.com:65536/x', MALFORMED],
  ['https://user:pa%0ass@host/r', MALFORMED],
  ['https://host/x?y#z', MALFORMED],
  ['https://mixed.example.com/r', PRIVATE],
  ['https://nowhere.example.com/r', 'bad_request unreachable'],
  ['https://silent.example.com/r', 'bad_request unreachable'],
  ['https://metadata.example.com/r', PRIVATE],
  ['https://printer.local/r', PRIVATE],
  ['https://db.internal/r', PRIVATE],
  ['https://router.home.arpa/r', PRIVATE],
  ['http://example.com/r', 'bad_request https_required'],
  ['https://example.com', MALFORMED],
  ['https://user:%zz@example.com/r', MALFORMED],
];
