import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SandboxSettings } from './find-sandbox.ts';

/** Programs and libraries of the host; links such as `/bin → usr/bin` stay links. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Files that compilers and interpreters read from `/etc`: none of it is secret, and names of users and hosts are not among it. */
const CONFIGURATION = [
  ...['alternatives', 'ca-certificates.conf', 'ca-certificates', 'crypto-policies', 'debian_version'],
  ...['fonts', 'java', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'magic', 'mime.types'],
  // Not the settings of maven: they hold the passwords of private repositories.
  ...['maven/m2.conf', 'maven/logging', 'pki/ca-trust/extracted', 'pki/tls/certs', 'pki/java'],
  ...['os-release', 'perl', 'php', 'protocols', 'python3', 'python3.11', 'python3.12', 'python3.13'],
  ...['rpc', 'services', 'ssl/certs', 'ssl/openssl.cnf', 'terminfo', 'timezone'],
  ...[11, 17, 21, 25].map((version) => `java-${version}-openjdk`),
].map((name) => `/etc/${name}`);

/** Files of `/etc` that a sandbox has of its own. */
const OWN_CONFIGURATION = {
  passwd: 'sandbox:x:1000:1000::/home/sandbox:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n',
  group: 'sandbox:x:1000:\nnogroup:x:65534:\n',
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  'resolv.conf': '',
};

/** Folders and files of the host that every sandbox mounts read-only. */
export interface HostFolders {
  /** Arguments of bwrap. */
  mounts: string[];
  /** Places that these mount. */
  folders: string[];
  /** Folders of the host inside the mounted ones that are covered by empty ones. */
  hidden: string[];
  /** Value of PATH. */
  path: string;
}

/** The server's own Node.js inside a sandbox, for the set-up's way out and for hosts without another one. */
export const NODE_IN_SANDBOX = '/run/hindsight/bin/node';

/** Reads which folders there are, and writes the sandbox's own files of `/etc` to the folder `own`. */
export async function findHostFolders(
  { dataDir, toolchains }: SandboxSettings,
  own: string,
): Promise<HostFolders> {
  for (const [name, text] of Object.entries(OWN_CONFIGURATION)) {
    await writeFile(join(own, name), text, { mode: 0o644 });
  }
  const present = toolchains.filter((folder) => existsSync(folder));
  const mounted = [...SYSTEM_FOLDERS.filter((folder) => existsSync(folder)), ...present];
  return {
    mounts: [
      ...mounted.flatMap(mountSystemFolder),
      ...CONFIGURATION.flatMap((path) => ['--ro-bind-try', path, path]),
      ...Object.keys(OWN_CONFIGURATION).flatMap((name) => ['--ro-bind', join(own, name), `/etc/${name}`]),
      ...['--ro-bind', process.execPath, NODE_IN_SANDBOX],
    ],
    folders: [
      ...present,
      '/etc/ssl/certs',
      '/etc/maven/logging',
      '/etc/pki/ca-trust/extracted',
      '/etc/pki/tls/certs',
      NODE_IN_SANDBOX,
    ],
    hidden: [dataDir, homedir()]
      .map(resolveFolder)
      .filter((secret) => mounted.some((folder) => isInside(secret, resolveFolder(folder)))),
    path: [
      ...present.map((folder) => (existsSync(join(folder, 'bin')) ? join(folder, 'bin') : folder)),
      ...['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'],
      dirname(NODE_IN_SANDBOX),
    ].join(':'),
  };
}

/** A link into another system folder stays one; everything else is mounted where it lies. */
function mountSystemFolder(folder: string): string[] {
  if (!lstatSync(folder).isSymbolicLink() || !SYSTEM_FOLDERS.includes(folder)) {
    return ['--ro-bind', folder, folder];
  }
  return ['--symlink', readlinkSync(folder), folder];
}

function resolveFolder(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
