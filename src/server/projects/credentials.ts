import type { Kysely, Selectable } from 'kysely';
import { type Credential, type CredentialState, MAX_HOST_KEYS } from '#contract/credentials.ts';
import { AppError } from '#contract/errors.ts';
import type { CredentialBody } from '#contract/projects.ts';
import type { CredentialsTable, Database } from '#db/schema.ts';
import { parseRemote, type RemoteAddress } from '#egress/address.ts';
import type { RemoteCredential } from '#git/credentials.ts';
import { createBox } from '#secrets/box.ts';
import { fingerprint, makeSshKey, readSshKey } from '#secrets/ssh-key.ts';
import type { Deps } from '../deps.ts';

type Needs = Pick<Deps, 'db' | 'keys'>;
type Row = Selectable<CredentialsTable>;

/** A credential as somebody gave it, ready to be stored. */
export type NewCredential =
  | { kind: 'token'; username: string; secret: string; isGenerated: false }
  /** `isNew`: made here, so that no git server knows it yet. */
  | { kind: 'ssh'; secret: string; publicKey: string; isGenerated: boolean };

/** Code hosts that take any name beside a token; this is the one that GitHub's documents use. */
const ANY_NAME = 'x-access-token';

/**
 * What is to be stored for an address: what the body says, else the name and password that stood in the address itself.
 * Throws `invalid_input` or `bad_request` where the kind does not fit the address, or the key cannot be read.
 */
export function parseCredential(
  address: RemoteAddress,
  body: CredentialBody | null | undefined,
): NewCredential | null {
  if (!body) {
    const inside = address.credentials;
    if (inside === null) return null;
    // A token alone stands where a name would.
    const [username, secret] = inside.password
      ? [inside.username || ANY_NAME, inside.password]
      : [ANY_NAME, inside.username];
    return parseCredential(address, { kind: 'token', username, token: secret });
  }
  const isSsh = address.protocol === 'ssh:';
  if (isSsh !== (body.kind === 'ssh')) {
    const message = isSsh
      ? 'An address for ssh needs a key, not a token.'
      : 'A key works by ssh only. Change the address to its ssh form, such as git@host:owner/name.git.';
    throw new AppError('bad_request', message, { reason: 'credential_kind', fields: { kind: message } });
  }
  if (body.kind === 'ssh') {
    const comment = `hindsight-${new Date().toISOString().slice(0, 10)}`;
    const { privateKey, publicKey } = body.private_key
      ? readSshKey(body.private_key, comment)
      : makeSshKey(comment);
    return { kind: 'ssh', secret: privateKey, publicKey, isGenerated: !body.private_key };
  }
  if (address.protocol !== 'https:') {
    const message = 'A token travels over https only. Connect the https address of this repository.';
    throw new AppError('bad_request', message, {
      reason: 'plain_http_credential',
      fields: { token: message },
    });
  }
  return { kind: 'token', username: body.username || ANY_NAME, secret: body.token, isGenerated: false };
}

/** Stores a project's credential in place of the one before, for the URL that the project has now. */
export async function saveCredential(
  deps: Needs,
  of: { project: { id: string; git_url: string }; userId: string; credential: NewCredential },
): Promise<StoredCredential> {
  const { project, credential } = of;
  const { host } = parseRemote(project.git_url, { ssh: true });
  const values = {
    kind: credential.kind,
    host,
    url: project.git_url,
    username: credential.kind === 'token' ? credential.username : null,
    public_key: credential.kind === 'ssh' ? credential.publicKey : null,
    sealed: boxOf(deps).seal(credential.secret, placeOf({ project_id: project.id, host })),
    // A key that is saved anew trusts the host anew.
    host_keys: null,
    made_by: of.userId,
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

/** A credential as it is stored, and whether it may be used for its project. */
export type StoredCredential = Row & { state: CredentialState };

/** A project's credential as it is stored, or null. */
export async function findCredential(
  db: Kysely<Database>,
  project: { id: string; git_url: string },
): Promise<StoredCredential | null> {
  const row = await db
    .selectFrom('credentials as c')
    .leftJoin('project_members as owner', (join) =>
      join.onRef('owner.project_id', '=', 'c.project_id').on('owner.role', '=', 'owner'),
    )
    .leftJoin('users as giver', 'giver.id', 'c.made_by')
    .selectAll('c')
    .select(['owner.user_id as owner', 'giver.is_active', 'giver.deletion_at'])
    .where('c.project_id', '=', project.id)
    .executeTakeFirst();
  if (!row) return null;
  const { owner, is_active, deletion_at, ...credential } = row;
  const isActive = is_active === true && deletion_at === null;
  if (!isSameRemote(credential.url, project.git_url)) return { ...credential, state: 'other_url' };
  if (credential.made_by === null || credential.made_by !== owner)
    return { ...credential, state: 'other_owner' };
  return { ...credential, state: isActive ? 'usable' : 'inactive_owner' };
}

/** Whether two URLs in normal form name one repository: git servers add `.git` and drop a slash at the end. */
export function isSameRemote(a: string, b: string): boolean {
  const repositoryOf = (url: string) => url.replace(/\/{1,100}$/, '').replace(/\.git$/, '');
  return repositoryOf(a) === repositoryOf(b);
}

/** Why a credential is not used, and what its project's owner can do. */
const UNUSABLE: Record<Exclude<CredentialState, 'usable'>, string> = {
  other_url: 'The stored credential was given for another URL. Add one for this URL under Settings.',
  other_owner:
    'The stored credential was given by a former owner of this project and is no longer used. Add one of your own under Settings.',
  inactive_owner:
    'The account that gave the credential of this project is not active, so it is not used. An active owner can add one under Settings.',
};

/** The error for a credential that is stored and not used. */
export function credentialUnusable(state: keyof typeof UNUSABLE): AppError {
  return new AppError('bad_request', UNUSABLE[state], { reason: `credential_${state}` });
}

/**
 * What git needs to open a project's repository, or null where nothing is stored.
 * @throws AppError `unavailable` (`cannot_open`), `bad_request` for one that was given for another URL or by somebody else
 */
export async function decryptCredential(
  deps: Needs,
  project: { id: string; git_url: string },
): Promise<RemoteCredential | null> {
  const row = await findCredential(deps.db, project);
  if (row === null) return null;
  if (row.state !== 'usable') {
    throw credentialUnusable(row.state);
  }
  const secret = boxOf(deps).open(row.sealed, placeOf(row));
  if (row.kind === 'ssh') return { kind: 'ssh', privateKey: secret, hostKeys: row.host_keys };
  return { kind: 'token', username: row.username ?? ANY_NAME, token: secret };
}

/** A credential that was just given, as git needs it. */
export function toRemoteCredential(given: NewCredential): RemoteCredential {
  if (given.kind === 'ssh') return { kind: 'ssh', privateKey: given.secret, hostKeys: null };
  return { kind: 'token', username: given.username, token: given.secret };
}

/** Remembers the keys of a host that was seen for the first time; those that are pinned already stay. */
export async function pinHostKeys(db: Kysely<Database>, projectId: string, lines: string): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ host_keys: lines })
    .where('project_id', '=', projectId)
    .where('host_keys', 'is', null)
    .execute();
}

/** A row as the API shows it: without its secret. */
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

function boxOf({ keys }: Pick<Deps, 'keys'>) {
  return createBox(keys, 'credentials');
}

function placeOf({ project_id, host }: Pick<Row, 'project_id' | 'host'>): string {
  return `${project_id}|${host}`;
}
