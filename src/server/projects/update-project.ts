import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { parseRemote, type RemoteAddress } from '#egress/address.ts';
import type { RemoteCredential } from '#git/credentials.ts';
import { withRemote } from '#git/remote.ts';
import type { Deps } from '../deps.ts';
import { serve, untilClosed } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { audit, origin } from '../identity/audit-log.ts';
import { requireSwitch } from '../identity/feature-switches.ts';
import { recordTransfers } from '../llm/egress-record.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { CONNECTION_TEST_TIMEOUT_S, markAwaitingKey } from './credential-routes.ts';
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
} from './credentials.ts';
import { markQueued, type ProjectRow, presentProject, updateProjectDetails } from './queries.ts';
import { requestIngest } from './tasks.ts';

/** Another address for a project, which has answered, and what opens it. */
interface Move {
  address: RemoteAddress;
  given: NewCredential | null;
  /** The credential that is stored was given for this very URL, and stays. */
  keeps: boolean;
  hostKeys: string | null;
}

/**
 * Serves the change of a project by its owner. A new address is tried before it replaces the one before; what is
 * remembered goes on serving until the new one has been read, and edits stay, since all lies in the same repository.
 */
export function registerProjectUpdate(app: FastifyInstance, deps: Deps): void {
  serve(app, projectRoutes.change, async ({ caller, params, body, request, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const move = await planMove(deps, project, body, { userId: caller.userId, signal: untilClosed(reply) });
    const words = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.description !== undefined && { description: body.description || null }),
    };
    const record = { userId: caller.userId, ...origin(request) };
    const row = await deps.db.transaction().execute(async (trx) => {
      const changes = { ...words, ...(move && { git_url: move.address.href }) };
      const changed = await updateProjectDetails(trx, project.id, changes);
      if (move) await settleCredential({ ...deps, db: trx }, changed, move, caller.userId);
      if (Object.keys(words).length > 0) {
        await audit(trx, { ...record, event: 'project_changed', detail: { project: changed.name } });
      }
      if (move) {
        const detail = { project: changed.name, address: changed.git_url };
        await audit(trx, { ...record, event: 'project_moved', detail });
      }
      return changed;
    });
    const shown = move === null ? presentProject(row, 'owner') : await readAnew(deps, row, move);
    deps.events.emit({ type: 'project-changed', projectId: project.id });
    return shown;
  });
}

async function readAnew(deps: Deps, project: ProjectRow, { given }: Move): Promise<Project> {
  if (given?.isGenerated) return await markAwaitingKey(deps, project);
  const row = await markQueued(deps.db, project.id);
  await requestIngest(deps, project.id);
  return presentProject(row, 'owner');
}

type Wanted = Parameters<typeof parseCredential>[1];

/** Null when the address stays as it is. Throws as the test of a connection does. */
async function planMove(
  deps: Deps,
  project: ProjectRow,
  { git_url, credential }: { git_url?: string | undefined; credential?: Wanted },
  by: { userId: string; signal: AbortSignal },
): Promise<Move | null> {
  if (git_url === undefined) return null;
  const before = parseRemote(project.git_url, { ssh: true });
  const stored = await findCredential(deps.db, project);
  const ssh = credential ? credential.kind === 'ssh' : stored?.kind === 'ssh';
  const address = parseRemote(git_url, { ssh });
  const given = parseCredential(address, credential);
  if (address.href === before.href && given === null) return null;
  if (address.href !== before.href) await requireSwitch(deps, 'connecting');
  const keeps = given === null && stored?.state === 'usable' && isSameRemote(stored.url, address.href);
  await deps.egress.check(address);
  await consume(deps, `credential-test:${by.userId}`, deps.config.limits.credentialTestsPerUser);
  const opens = given ? toRemoteCredential(given) : keeps ? await decryptCredential(deps, project) : null;
  const hostKeys = given?.isGenerated
    ? null
    : await tryOut(deps, project, { address, credential: opens, by }).catch((error) => {
        const isPrivate = error instanceof AppError && error.reason === 'not_found_or_private';
        throw isPrivate && stored && opens === null ? credentialUnusable('other_url') : error;
      });
  return { address, given, keeps, hostKeys };
}

/** Asks the other side for its branches; returns the host's keys when they were seen for the first time. */
async function tryOut(
  deps: Deps,
  project: Pick<ProjectRow, 'id'>,
  given: {
    address: RemoteAddress;
    credential: RemoteCredential | null;
    by: { userId: string; signal: AbortSignal };
  },
): Promise<string | null> {
  const { git } = deps.config;
  let seen: string | null = null;
  const limits = { ...git, timeoutS: Math.min(git.timeoutS, CONNECTION_TEST_TIMEOUT_S) };
  const onHostKeys = async (lines: string) => {
    seen = lines;
  };
  const { address, credential, by } = given;
  const onTransfer = recordTransfers(deps, project.id);
  const options = {
    url: address.href,
    egress: deps.egress,
    limits,
    credential,
    onHostKeys,
    onTransfer,
  };
  const turn = { ...by, deadlineMs: 2 * CONNECTION_TEST_TIMEOUT_S * 1000 };
  await deps.queues.remotes.run(turn, (signal) =>
    withRemote({ ...options, signal }, (remote) => remote.readHead()),
  );
  return seen;
}

/** Stores the credential that was given; forgets the one of another URL. */
async function settleCredential(deps: Deps, project: ProjectRow, move: Move, userId: string): Promise<void> {
  if (move.given) await saveCredential(deps, { project, userId, credential: move.given });
  else if (!move.keeps)
    await deps.db.deleteFrom('credentials').where('project_id', '=', project.id).execute();
  if (move.hostKeys !== null) await pinHostKeys(deps.db, project.id, move.hostKeys);
}
