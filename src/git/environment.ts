import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Configuration of every git child. It travels as GIT_CONFIG_KEY_n, never as `-c`: the command line is public.
 * Keys that an older git does not know are ignored by it.
 */
const CONFIG: Record<string, string> = {
  // Nothing in a repository may start a program or name a file of this machine.
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.symlinks': 'false',
  'core.protectNTFS': 'true',
  'core.protectHFS': 'true',
  'core.alternateRefsCommand': 'exit 0 #',
  'safe.bareRepository': 'explicit',
  'init.templateDir': '',
  'log.showSignature': 'false',
  'commit.gpgSign': 'false',
  'user.useConfigOnly': 'true',
  'push.default': 'nothing',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'no',
  'credential.helper': '',
  'credential.interactive': 'false',
  // git syncs neither refs nor objects unless told to.
  'core.fsync': 'all',
  'core.fsyncMethod': 'fsync',
  'core.filesRefLockTimeout': '2000',
  'core.packedRefsTimeout': '2000',
  // Bounded memory, and no upkeep behind our back.
  'core.bigFileThreshold': '16m',
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  'grep.threads': '2',
  'diff.renameLimit': '400',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fetch.writeCommitGraph': 'false',
  'fetch.unpackLimit': '1',
  // Wire: one protocol, no redirects, no cookies, the proxy named by the lease alone.
  'protocol.allow': 'never',
  'protocol.https.allow': 'always',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'http.proxyAuthMethod': 'basic',
  'http.sslVerify': 'true',
  'http.emptyAuth': 'false',
  'http.cookieFile': '',
  'http.saveCookies': 'false',
  'http.version': 'HTTP/1.1',
  'transfer.bundleURI': 'false',
  'transfer.fsckObjects': 'true',
  'fetch.fsckObjects': 'true',
  // Flaws that old, honest histories carry. They cannot harm a reader.
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
  'fetch.fsck.zeroPaddedDate': 'ignore',
  'fetch.fsck.badDate': 'ignore',
  'fetch.fsck.badDateOverflow': 'ignore',
  'fetch.fsck.badEmail': 'ignore',
  'fetch.fsck.missingEmail': 'ignore',
  'fetch.fsck.missingNameBeforeEmail': 'ignore',
  'fetch.fsck.missingSpaceBeforeEmail': 'ignore',
  'core.quotePath': 'false',
};

let emptyFolder: string | undefined;

/** Empty read-only folder: HOME and working directory of every git child process. Created once per thread. */
export function emptyHome(): string {
  if (emptyFolder === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'hindsight-git-'));
    // mkdtemp makes it 0700; taking the right to write away keeps it empty.
    chmodSync(folder, 0o500);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    emptyFolder = folder;
  }
  return emptyFolder;
}

/** The complete environment of a git child; nothing of our own environment is inherited. */
export function gitEnvironment(
  repo: string | null,
  config: Record<string, string>,
  extra: Record<string, string>,
): Record<string, string> {
  const home = emptyHome();
  const environment: Record<string, string> = {
    PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    GIT_SSH_COMMAND: '/bin/false',
    GIT_PAGER: 'cat',
    GIT_EDITOR: '/bin/false',
    // No transport at all, unless a lease says which.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_CEILING_DIRECTORIES: dirname(home),
    NO_PROXY: '',
    no_proxy: '',
    ...extra,
  };
  if (repo !== null) {
    environment.GIT_DIR = repo;
  }
  const pairs = Object.entries({
    ...CONFIG,
    ...(repo === null ? {} : { 'safe.directory': repo }),
    ...config,
  });
  environment.GIT_CONFIG_COUNT = String(pairs.length);
  for (const [index, [key, value]] of pairs.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}
