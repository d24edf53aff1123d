import type { Kysely, Selectable } from 'kysely';
import type { CodeHostKind } from '#contract/code-hosts.ts';
import { AppError } from '#contract/errors.ts';
import type { CodeHostsTable, Database } from '#db/schema.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';
import { isSameRemote } from '../project-data/credentials.ts';
import type { HostAccess } from './host-request.ts';
import { detectCodeHost, parseHostRepository } from './host-url.ts';

/** The API of a project's code host, as stored or as its name tells. */
interface FoundCodeHost {
  kind: CodeHostKind;
  apiUrl: string;
  sealedToken: string | null;
  /** True while the token was stored by the present owner, whose account is active, for the present URL. */
  isUsable: boolean;
  isStored: boolean;
}

type ProjectUrl = { id: string; git_url: string };
type CodeHostDeps = Pick<Deps, 'db' | 'keys'>;

const BOX_PURPOSE = 'code host token';

/** Encrypts the API token of a project. */
export function sealToken({ keys }: Pick<Deps, 'keys'>, projectId: string, token: string): string {
  return createBox(keys, BOX_PURPOSE).seal(token, projectId);
}

/** The stored settings of a project's code host. */
export async function findStoredCodeHost(
  db: Kysely<Database>,
  projectId: string,
): Promise<Selectable<CodeHostsTable> | null> {
  const row = await db
    .selectFrom('code_hosts')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? null;
}

/** Finds the API of a project's code host; null where its kind is unknown. */
export async function findCodeHost({ db }: CodeHostDeps, project: ProjectUrl): Promise<FoundCodeHost | null> {
  const stored = await findStoredCodeHost(db, project.id);
  const isCurrent = stored !== null && isSameRemote(stored.git_url, project.git_url);
  if (!stored || !isCurrent) {
    const detected = detectCodeHost(project.git_url);
    if (detected === null) return null;
    const sealedToken = stored?.sealed_token ?? null;
    return { kind: detected.kind, apiUrl: detected.api_url, sealedToken, isUsable: false, isStored: false };
  }
  const owner = await db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.project_id', '=', project.id)
    .where('m.direct_role', '=', 'owner')
    .where('u.is_active', '=', true)
    .where('u.deletion_at', 'is', null)
    .executeTakeFirst();
  return {
    kind: stored.kind,
    apiUrl: stored.api_url,
    sealedToken: stored.sealed_token,
    isUsable: owner !== undefined && owner.user_id === stored.created_by,
    isStored: true,
  };
}

/** Access to the API of a project's code host. Throws `conflict` without a known API or a usable token. */
export async function requireHostAccess(
  deps: CodeHostDeps,
  project: ProjectUrl,
  userId: string | null,
): Promise<HostAccess> {
  const access = await requirePublicAccess(deps, project, userId);
  if (access.token === null) {
    const params = { host: parseHostRepository(project.git_url)?.host ?? '' };
    throw new AppError('conflict', 'code_host_token_missing', { params, reason: 'code_host_token_missing' });
  }
  return access;
}

/** The same, without a token where none is usable. Throws `conflict` without a known API. */
export async function requirePublicAccess(
  deps: CodeHostDeps,
  project: ProjectUrl,
  userId: string | null,
): Promise<HostAccess> {
  const repository = parseHostRepository(project.git_url);
  const found = await findCodeHost(deps, project);
  if (repository === null || found === null) {
    const params = { host: repository?.host ?? '' };
    throw new AppError('conflict', 'code_host_unknown', { params, reason: 'code_host_unknown' });
  }
  const { kind, apiUrl, sealedToken, isUsable } = found;
  const token =
    sealedToken !== null && isUsable ? createBox(deps.keys, BOX_PURPOSE).open(sealedToken, project.id) : null;
  return { kind, apiUrl, token, path: repository.path, projectId: project.id, userId };
}
