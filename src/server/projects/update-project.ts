import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { parseRemote, type RemoteUrl } from '#egress/remote-url.ts';
import type { RemoteCredential } from '#git/credentials.ts';
import { readRefs } from '#git/refs.ts';
import { withRemote } from '#git/remote.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { requireFeature } from '../identity/feature-switches.ts';
import { recordTransfers } from '../llm/egress-record.ts';
import {
  credentialUnusable,
  decryptCredential,
  findCredential,
  isSameRemote,
  type NewCredential,
  parseCredential,
  pinHostKeys,
  saveCredential,
  toRemoteCredential,
} from '../project-data/credentials.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { CONNECTION_TEST_TIMEOUT_S, markAwaitingKey } from './credential-routes.ts';
import { requestIngest } from './index-tasks.ts';
import { markQueued, type ProjectRow, presentProject, updateProjectDetails } from './queries.ts';

/** A new remote URL that was tested, with its credential. */
interface RemoteChange {
  remote: RemoteUrl;
  newCredential: NewCredential | null;
  /** True when the stored credential was given for this URL and is kept. */
  keepsStored: boolean;
  hostKeys: string | null;
}

/**
 * Serves project updates by the owner. A new URL is tested before it replaces the old one. The existing index
 * serves until the new repository is indexed, and saved edits stay, since they are in the same local repository.
 */
export function registerProjectUpdate(app: FastifyInstance, deps: Deps): void {
  serve(app, projectRoutes.update, async ({ caller, params, body, request, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const remoteChange = await planRemoteChange(deps, project, body, {
      userId: caller.userId,
      signal: abortOnDisconnect(reply),
    });
    const { git_url: _url, credential: _credential, ...fields } = body;
    if (fields.chosen_branch != null) await requireBranch(deps, project.id, fields.chosen_branch);
    const details = {
      ...fields,
      ...(body.description !== undefined && { description: body.description || null }),
      ...(body.may_push !== undefined && { may_push: body.may_push }),
      ...(body.may_push_default !== undefined && { may_push_default: body.may_push_default }),
      ...(body.may_run !== undefined && { may_run: body.may_run }),
      ...(body.instructions !== undefined && { instructions: body.instructions || null }),
    };
    const auditFields = { userId: caller.userId, ...clientInfo(request) };
    const row = await deps.db.transaction().execute(async (trx) => {
      const changes = { ...details, ...(remoteChange && { git_url: remoteChange.remote.href }) };
      const changed = await updateProjectDetails(trx, project.id, changes);
      if (remoteChange) await applyCredential({ ...deps, db: trx }, changed, remoteChange, caller.userId);
      if (Object.keys(details).length > 0) {
        await recordAuditEvent(trx, {
          ...auditFields,
          event: 'project_updated',
          detail: { project: changed.name },
        });
      }
      if (changed.may_run !== project.may_run) {
        const event = changed.may_run ? 'running_enabled' : 'running_disabled';
        await recordAuditEvent(trx, { ...auditFields, event, detail: { project: changed.name } });
      }
      if (remoteChange) {
        const detail = { project: changed.name, git_url: changed.git_url };
        await recordAuditEvent(trx, { ...auditFields, event: 'project_url_changed', detail });
      }
      return changed;
    });
    const presented =
      remoteChange !== null || isIndexOutdated(project, row)
        ? await reindex(deps, row, remoteChange)
        : presentProject(row, 'owner');
    deps.events.emit({ type: 'project-changed', projectId: project.id });
    return presented;
  });
}

/** True when another branch is to be indexed, or other paths. */
function isIndexOutdated(before: ProjectRow, after: ProjectRow): boolean {
  return (
    before.chosen_branch !== after.chosen_branch ||
    JSON.stringify(after.excluded_paths) !== JSON.stringify(after.indexed_exclusions)
  );
}

async function requireBranch({ projectFiles }: Deps, projectId: string, branch: string): Promise<void> {
  const repo = await projectFiles.repositories.open(projectId);
  const ref = `refs/remotes/origin/${branch}`;
  if ((await readRefs(repo, [ref])).has(ref)) return;
  const key = 'upstream_branch_not_found';
  throw new AppError('invalid_input', key, {
    params: { branch },
    fields: { chosen_branch: { key, params: { branch } } },
  });
}

async function reindex(deps: Deps, project: ProjectRow, change: RemoteChange | null): Promise<Project> {
  if (change?.newCredential?.isGenerated) return await markAwaitingKey(deps, project);
  const row = await markQueued(deps.db, project.id);
  await requestIngest(deps, project.id, 'settings');
  return presentProject(row, 'owner');
}

type RequestedCredential = Parameters<typeof parseCredential>[1];

/** Returns null when the URL is unchanged. Throws like the connection test. */
async function planRemoteChange(
  deps: Deps,
  project: ProjectRow,
  { git_url, credential }: { git_url?: string | undefined; credential?: RequestedCredential },
  user: { userId: string; signal: AbortSignal },
): Promise<RemoteChange | null> {
  if (git_url === undefined) return null;
  const current = parseRemote(project.git_url, { ssh: true });
  const stored = await findCredential(deps.db, project);
  const ssh = credential ? credential.kind === 'ssh' : stored?.kind === 'ssh';
  const remote = parseRemote(git_url, { ssh });
  const newCredential = parseCredential(remote, credential);
  if (remote.href === current.href && newCredential === null) return null;
  if (remote.href !== current.href) await requireFeature(deps, 'project_creation');
  const keepsStored =
    newCredential === null && stored?.state === 'usable' && isSameRemote(stored.url, remote.href);
  await deps.egress.check(remote);
  await consume(deps, `credential-test:${user.userId}`, deps.config.limits.credentialTestsPerUser);
  const credentialToUse = newCredential
    ? toRemoteCredential(newCredential)
    : keepsStored
      ? await decryptCredential(deps, project)
      : null;
  const hostKeys = newCredential?.isGenerated
    ? null
    : await testConnection(deps, project, { remote, credential: credentialToUse, user }).catch((error) => {
        const isPrivate = error instanceof AppError && error.reason === 'not_found_or_private';
        throw isPrivate && stored && credentialToUse === null ? credentialUnusable('other_url') : error;
      });
  return { remote, newCredential, keepsStored, hostKeys };
}

/** Reads the remote head; returns the host keys when they were seen for the first time. */
async function testConnection(
  deps: Deps,
  project: Pick<ProjectRow, 'id'>,
  newCredential: {
    remote: RemoteUrl;
    credential: RemoteCredential | null;
    user: { userId: string; signal: AbortSignal };
  },
): Promise<string | null> {
  const { git } = deps.config;
  let newHostKeys: string | null = null;
  const limits = { ...git, timeoutS: Math.min(git.timeoutS, CONNECTION_TEST_TIMEOUT_S) };
  const onHostKeys = async (lines: string) => {
    newHostKeys = lines;
  };
  const { remote, credential, user } = newCredential;
  const onTransfer = recordTransfers(deps, project.id);
  const options = {
    url: remote.href,
    egress: deps.egress,
    limits,
    credential,
    onHostKeys,
    onTransfer,
  };
  const slot = { ...user, deadlineMs: 2 * CONNECTION_TEST_TIMEOUT_S * 1000 };
  await deps.queues.gitRemotes.run(slot, (signal) =>
    withRemote({ ...options, signal }, (remote) => remote.readHead()),
  );
  return newHostKeys;
}

/** Stores the new credential, or deletes one that belongs to another URL. */
async function applyCredential(
  deps: Deps,
  project: ProjectRow,
  remoteChange: RemoteChange,
  userId: string,
): Promise<void> {
  if (remoteChange.newCredential)
    await saveCredential(deps, { project, userId, credential: remoteChange.newCredential });
  else if (!remoteChange.keepsStored)
    await deps.db.deleteFrom('credentials').where('project_id', '=', project.id).execute();
  if (remoteChange.hostKeys !== null) await pinHostKeys(deps.db, project.id, remoteChange.hostKeys);
}
