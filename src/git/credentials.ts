import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '#contract/errors.ts';
import type { Lease } from '#egress/proxy.ts';
import type { RemoteUrl } from '#egress/remote-url.ts';

/** Credential of a private repository. */
export type RemoteCredential =
  | { kind: 'token'; username: string; token: string }
  /** `hostKeys` are lines of known_hosts; null before the first connection, which pins them. */
  | { kind: 'ssh'; privateKey: string; hostKeys: string | null };

/** Environment and configuration by which git presents a credential. */
export interface CredentialEnvironment {
  config: Record<string, string>;
  env: Record<string, string>;
  /** Keys of the host that were not known before, as lines of known_hosts; null when there are none. */
  newHostKeys(): Promise<string | null>;
  /** Removes what was written to the disk. */
  close(): Promise<void>;
}

interface CredentialContext {
  address: RemoteUrl;
  lease: Lease;
  caFile?: string | null | undefined;
}

const NO_CREDENTIAL = { env: {}, newHostKeys: async () => null, close: async () => {} };

/**
 * Gets a credential ready for the children of one conversation. Secrets travel in the environment of those children or
 * in files for this user alone, in a folder that goes with `close`: never on a command line, in an address, or in the
 * repository. Throws `bad_request` for a token that would travel unencrypted.
 */
export async function prepareCredential(
  credential: RemoteCredential | null,
  place: CredentialContext,
): Promise<CredentialEnvironment> {
  const config: Record<string, string> = place.caFile ? { 'http.sslCAInfo': place.caFile } : {};
  if (credential === null) return { ...NO_CREDENTIAL, config };
  if (credential.kind === 'token') return await prepareToken(credential, place, config);
  return await prepareSshKey(credential, place);
}

/** Whole questions only: what begins like one of ours may come from another host. */
const ASKPASS = `#!/bin/sh
case "$1" in
  "$HINDSIGHT_ASKS_NAME") printf '%s\\n' "$HINDSIGHT_NAME" ;;
  "$HINDSIGHT_ASKS_TOKEN" | "$HINDSIGHT_ASKS_TOKEN_TOO") printf '%s\\n' "$HINDSIGHT_TOKEN" ;;
  *) exit 1 ;;
esac
`;

async function prepareToken(
  { username, token }: Extract<RemoteCredential, { kind: 'token' }>,
  { address }: CredentialContext,
  config: Record<string, string>,
): Promise<CredentialEnvironment> {
  if (address.protocol !== 'https:') {
    throw new AppError('bad_request', 'plain_http_credential', { reason: 'plain_http_credential' });
  }
  const folder = await makePrivateFolder();
  const program = join(folder, 'askpass');
  await writeFile(program, ASKPASS, { mode: 0o500 });
  const host = new URL(address.href).host;
  return {
    config: { ...config, 'credential.interactive': 'true' },
    env: {
      GIT_ASKPASS: program,
      HINDSIGHT_ASKS_NAME: `Username for 'https://${host}': `,
      // Some versions of git escape the name in the question, others do not.
      HINDSIGHT_ASKS_TOKEN: `Password for 'https://${username}@${host}': `,
      HINDSIGHT_ASKS_TOKEN_TOO: `Password for 'https://${encodeURIComponent(username)}@${host}': `,
      HINDSIGHT_NAME: username,
      HINDSIGHT_TOKEN: token,
    },
    newHostKeys: async () => null,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const DIAL = fileURLToPath(import.meta.resolve(`#egress/ssh-proxy-command${extname(import.meta.url)}`));

async function prepareSshKey(
  { privateKey, hostKeys }: Extract<RemoteCredential, { kind: 'ssh' }>,
  { lease }: CredentialContext,
): Promise<CredentialEnvironment> {
  const folder = await makePrivateFolder();
  const file = (name: string) => join(folder, name);
  await writeFile(file('key'), privateKey, { mode: 0o600 });
  await writeFile(file('proxy'), lease.proxyUrl, { mode: 0o600 });
  await writeFile(file('known_hosts'), hostKeys ?? '', { mode: 0o600 });
  await writeFile(file('config'), sshConfig(file, hostKeys !== null), { mode: 0o600 });
  return {
    config: {},
    env: { GIT_SSH_COMMAND: `ssh -F '${file('config')}'`, GIT_SSH_VARIANT: 'ssh' },
    newHostKeys: async () => {
      const lines = await readFile(file('known_hosts'), 'utf8');
      return hostKeys === null && lines.trim() !== '' ? lines : null;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One way in, one way out: this key, these host keys, and the tunnel of the lease. */
function sshConfig(file: (name: string) => string, isPinned: boolean): string {
  return [
    'Host *',
    `  ProxyCommand "${process.execPath}" "${DIAL}" "${file('proxy')}" %h %p`,
    `  IdentityFile "${file('key')}"`,
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    '  PreferredAuthentications publickey',
    '  BatchMode yes',
    `  UserKnownHostsFile "${file('known_hosts')}"`,
    '  GlobalKnownHostsFile /dev/null',
    `  StrictHostKeyChecking ${isPinned ? 'yes' : 'accept-new'}`,
    '  UpdateHostKeys no',
    '  HashKnownHosts no',
    '  CheckHostIP no',
    '  ForwardAgent no',
    '  ForwardX11 no',
    '  ClearAllForwardings yes',
    '  PermitLocalCommand no',
    '  RequestTTY no',
    '  ControlMaster no',
    '  ConnectTimeout 20',
    '  ServerAliveInterval 15',
    '',
  ].join('\n');
}

async function makePrivateFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'hindsight-credential-'));
}

/** Maps a refusal for a URL with a token: the URL is right, the token is not. */
export function credentialError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.reason !== 'not_found_or_private') return error;
  return new AppError('bad_request', 'credential_refused', { reason: 'credential_rejected', cause: error });
}
