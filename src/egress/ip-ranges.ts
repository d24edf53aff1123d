import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Reserved and private ranges (IANA special-purpose registries). */
const BLOCKED = blockList(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
);
/** The global unicast range of IPv6: loopback, mapped, NAT64, unique local and link local lie outside. */
const GLOBAL = blockList('2000::/3');
/** Link-local and metadata services of clouds. */
const METADATA = blockList(
  '169.254.0.0/16 168.63.129.16/32 100.100.100.200/32 192.0.0.192/32 fe80::/10 fd00:ec2::/32 fd20:ce::/32',
);

/** True for an address outside the public internet, and for text that is not an IP address. */
export function isBlocked(ip: string): boolean {
  const bare = unmapIpv4(ip);
  const family = isIP(bare);
  if (family === 0) {
    return true;
  }
  // Without the family, BlockList treats every address as IPv4 and matches nothing.
  const blocked =
    family === 4 ? BLOCKED.check(bare, 'ipv4') : BLOCKED.check(bare, 'ipv6') || !GLOBAL.check(bare, 'ipv6');
  return blocked || isOwnIp(bare);
}

/** True for link-local and cloud metadata addresses, which are blocked even for allowed hosts. */
export function isMetadata(ip: string): boolean {
  const bare = unmapIpv4(ip);
  const family = isIP(bare);
  return family === 0 || METADATA.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}

function blockList(...lines: string[]): BlockList {
  const list = new BlockList();
  for (const range of lines.join(' ').split(' ')) {
    const [network, prefix] = range.split('/') as [string, string];
    list.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** `::ffff:7f00:1` → `127.0.0.1`; other addresses as they are. */
function unmapIpv4(ip: string): string {
  const bare = ip.replace(/%.*$/, '');
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

function isOwnIp(ip: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === ip));
}
