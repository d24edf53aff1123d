import type { Kysely, Selectable } from 'kysely';
import { type Credential, type CredentialState, MAX_HOST_KEYS } from '#contract/credentials.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import type { CredentialBody } from '#contract/projects.ts';
import type { CredentialsTable } from '#db/project-tables.ts';
import type { Database } from '#db/schema.ts';
import { parseRemote, type RemoteUrl } from '#egress/remote-url.ts';
import type { RemoteCredential } from '#git/credentials.ts';
import { createBox } from '#secrets/box.ts';
import { fingerprint, generateSshKey, parseSshKey } from '#secrets/ssh-key.ts';
import type { Deps } from '../deps.ts';

type CredentialDeps = Pick<Deps, 'db' | 'keys'>;
type Row = Selectable<CredentialsTable>;

/** A credential to store. */
export type NewCredential =
  | { kind: 'token'; username: string; secret: string; isGenerated: false }
  /** `isGenerated`: the key pair was created here, so no git server accepts it yet. */
  | { kind: 'ssh'; secret: string; publicKey: string; isGenerated: boolean };

/** Username sent with a token. Code hosts ignore it; this one is from the GitHub documentation. */
const TOKEN_USERNAME = 'x-access-token';

/**
 * Credential for a remote: from the request body, else the username and password in the URL. Throws `invalid_input`
 * or `bad_request` when the kind does not match the URL or the key is unreadable.
 */
export function parseCredential(
  remote: RemoteUrl,
  body: CredentialBody | null | undefined,
): NewCredential | null {
  if (!body) {
    const urlCredentials = remote.credentials;
    if (urlCredentials === null) return null;
    // A URL with only a token has it in place of the username.
    const [username, secret] = urlCredentials.password
      ? [urlCredentials.username || TOKEN_USERNAME, urlCredentials.password]
      : [TOKEN_USERNAME, urlCredentials.username];
    return parseCredential(remote, { kind: 'token', username, token: secret });
  }
  const isSsh = remote.protocol === 'ssh:';
  if (isSsh !== (body.kind === 'ssh')) {
    const message = isSsh ? 'ssh_credential_required' : 'ssh_url_required';
    throw new AppError('bad_request', message, {
      reason: 'credential_kind_mismatch',
      fields: { kind: message },
    });
  }
  if (body.kind === 'ssh') {
    const comment = `hindsight-${new Date().toISOString().slice(0, 10)}`;
    const { privateKey, publicKey } = body.private_key
      ? parseSshKey(body.private_key, comment)
      : generateSshKey(comment);
    return { kind: 'ssh', secret: privateKey, publicKey, isGenerated: !body.private_key };
  }
  if (remote.protocol !== 'https:') {
    throw new AppError('bad_request', 'plain_http_credential', {
      reason: 'plain_http_credential',
      fields: { token: 'plain_http_credential' },
    });
  }
  return { kind: 'token', username: body.username || TOKEN_USERNAME, secret: body.token, isGenerated: false };
}

/** Replaces a project’s credential, bound to its current URL. */
export async function saveCredential(
  deps: CredentialDeps,
  input: { project: { id: string; git_url: string }; userId: string; credential: NewCredential },
): Promise<StoredCredential> {
  const { project, credential } = input;
  const { host } = parseRemote(project.git_url, { ssh: true });
  const values = {
    kind: credential.kind,
    host,
    url: project.git_url,
    username: credential.kind === 'token' ? credential.username : null,
    public_key: credential.kind === 'ssh' ? credential.publicKey : null,
    sealed: credentialBox(deps).seal(credential.secret, sealContext({ project_id: project.id, host })),
    // Host keys are pinned again for a new key.
    host_keys: null,
    created_by: input.userId,
    created_at: new Date(),
  };
  const row = await deps.db
    .insertInto('credentials')
    .values({ project_id: project.id, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, state: 'usable' };
}

/** A stored credential and whether it is usable for its project. */
type StoredCredential = Row & { state: CredentialState };

/** Finds the stored credential of a project. */
export async function findCredential(
  db: Kysely<Database>,
  project: { id: string; git_url: string },
): Promise<StoredCredential | null> {
  const row = await db
    .selectFrom('credentials as c')
    .leftJoin('project_members as owner', (join) =>
      join.onRef('owner.project_id', '=', 'c.project_id').on('owner.direct_role', '=', 'owner'),
    )
    .leftJoin('users as creator', 'creator.id', 'c.created_by')
    .selectAll('c')
    .select(['owner.user_id as owner', 'creator.is_active', 'creator.deletion_at'])
    .where('c.project_id', '=', project.id)
    .executeTakeFirst();
  if (!row) return null;
  const { owner, is_active, deletion_at, ...credential } = row;
  const isActive = is_active === true && deletion_at === null;
  if (!isSameRemote(credential.url, project.git_url)) return { ...credential, state: 'other_url' };
  if (credential.created_by === null || credential.created_by !== owner)
    return { ...credential, state: 'other_owner' };
  return { ...credential, state: isActive ? 'usable' : 'inactive_owner' };
}

/** True when two normalized URLs identify one repository, ignoring `.git` and a trailing slash. */
export function isSameRemote(a: string, b: string): boolean {
  const normalize = (url: string) => url.replace(/\/{1,100}$/, '').replace(/\.git$/, '');
  return normalize(a) === normalize(b);
}

/** Reason a credential is unusable, and what the owner can do. */
const UNUSABLE_MESSAGES: Record<Exclude<CredentialState, 'usable'>, ErrorKey> = {
  other_url: 'credential_other_url',
  other_owner: 'credential_other_owner',
  inactive_owner: 'credential_inactive_owner',
};

export function credentialUnusable(state: keyof typeof UNUSABLE_MESSAGES): AppError {
  return new AppError('bad_request', UNUSABLE_MESSAGES[state], { reason: `credential_${state}` });
}

/**
 * Decrypts the credential of a project for git; null when none is stored.
 * @throws AppError `unavailable` (`decryption_failed`), `bad_request` for one bound to another URL or owner
 */
export async function decryptCredential(
  deps: CredentialDeps,
  project: { id: string; git_url: string },
): Promise<RemoteCredential | null> {
  const row = await findCredential(deps.db, project);
  if (row === null) return null;
  if (row.state !== 'usable') {
    throw credentialUnusable(row.state);
  }
  const secret = credentialBox(deps).open(row.sealed, sealContext(row));
  if (row.kind === 'ssh') return { kind: 'ssh', privateKey: secret, hostKeys: row.host_keys };
  return { kind: 'token', username: row.username ?? TOKEN_USERNAME, token: secret };
}

/** Converts a new credential for git. */
export function toRemoteCredential(credential: NewCredential): RemoteCredential {
  if (credential.kind === 'ssh') return { kind: 'ssh', privateKey: credential.secret, hostKeys: null };
  return { kind: 'token', username: credential.username, token: credential.secret };
}

/** Stores the host keys of a first connection; pinned keys are kept. */
export async function pinHostKeys(db: Kysely<Database>, projectId: string, lines: string): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ host_keys: lines })
    .where('project_id', '=', projectId)
    .where('host_keys', 'is', null)
    .execute();
}

/** Formats a credential for the API, without its secret. */
export function presentCredential(row: StoredCredential): Credential {
  return {
    kind: row.kind,
    host: row.host,
    url: row.url,
    state: row.state,
    username: row.username,
    public_key: row.public_key,
    host_keys: hostKeyFingerprints(row),
    created_at: row.created_at.toISOString(),
  };
}

/** `ssh-ed25519 SHA256:…` for every line of known_hosts: `host type key`. */
export function hostKeyFingerprints({ host_keys }: Pick<Row, 'host_keys'>): string[] {
  return (host_keys ?? '')
    .split('\n')
    .map((line) => line.split(' '))
    .filter((parts) => parts.length >= 3)
    .slice(0, MAX_HOST_KEYS)
    .map(([, type, key = '']) => `${type} ${fingerprint(key)}`);
}

function credentialBox({ keys }: Pick<Deps, 'keys'>) {
  return createBox(keys, 'credentials');
}

function sealContext({ project_id, host }: Pick<Row, 'project_id' | 'host'>): string {
  return `${project_id}|${host}`;
}
