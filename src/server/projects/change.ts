import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { parseRemote, type RemoteAddress } from '#egress/address.ts';
import type { RemoteCredential } from '#git/credentials.ts';
import { withRemote } from '#git/remote.ts';
import { projectAccess } from '../access.ts';
import { audit, origin } from '../audit.ts';
import type { Deps } from '../deps.ts';
import { recordTransfers } from '../egress-record.ts';
import { serve, untilClosed } from '../http.ts';
import { consume } from '../limits.ts';
import { requireSwitch } from '../switches.ts';
import { TEST_S, waitForKey } from './credential-routes.ts';
import {
  asRemoteCredential,
  findCredential,
  type GivenCredential,
  isSameRemote,
  openCredential,
  pinHostKeys,
  saveCredential,
  unusableCredential,
  wantedCredential,
} from './credentials.ts';
import { changeWords, type ProjectRow, presentProject, queueRun } from './queries.ts';
import { requestIngest } from './tasks.ts';

/** Another address for a project, which has answered, and what opens it. */
interface Move {
  address: RemoteAddress;
  given: GivenCredential | null;
  /** The credential that is stored was given for this very URL, and stays. */
  keeps: boolean;
  hostKeys: string | null;
}

/**
 * Serves the change of a project by its owner. A new address is tried before it replaces the one before; what is
 * remembered goes on serving until the new one has been read, and edits stay, since all lies in the same repository.
 */
export function registerChange(app: FastifyInstance, deps: Deps): void {
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
      const changed = await changeWords(trx, project.id, changes);
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
  if (given?.isNew) return await waitForKey(deps, project);
  const row = await queueRun(deps.db, project.id);
  await requestIngest(deps, project.id);
  return presentProject(row, 'owner');
}

type Wanted = Parameters<typeof wantedCredential>[1];

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
  const given = wantedCredential(address, credential);
  if (address.href === before.href && given === null) return null;
  if (address.href !== before.href) await requireSwitch(deps, 'connecting');
  const keeps = given === null && stored?.state === 'usable' && isSameRemote(stored.url, address.href);
  await deps.egress.check(address);
  await consume(deps, `credential-test:${by.userId}`, deps.config.limits.credentialTestsPerUser);
  const opens = given ? asRemoteCredential(given) : keeps ? await openCredential(deps, project) : null;
  const hostKeys = given?.isNew
    ? null
    : await tryOut(deps, project, { address, credential: opens, by }).catch((error) => {
        const isPrivate = error instanceof AppError && error.reason === 'not_found_or_private';
        throw isPrivate && stored && opens === null ? unusableCredential('other_url') : error;
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
  const limits = { ...git, timeoutS: Math.min(git.timeoutS, TEST_S) };
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
  const turn = { ...by, deadlineMs: 2 * TEST_S * 1000 };
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
