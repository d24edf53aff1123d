import type { Transaction } from 'kysely';
import type { CredentialBody, Project } from '#contract/projects.ts';
import type { Database } from '#db/schema.ts';
import { parseRemote } from '#egress/remote-url.ts';
import type { Deps } from '../deps.ts';
import { type clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { parseCredential, saveCredential } from '../project-data/credentials.ts';
import { requireProjectQuota } from '../project-data/plans.ts';
import { requireProjectCapacity } from '../project-data/row-limits.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { markAwaitingKey } from './credential-routes.ts';
import { requestIngest } from './index-tasks.ts';
import { findProjectByUrl, insertProject, presentProject } from './queries.ts';

interface NewProject {
  name: string;
  git_url: string;
  description?: string | null | undefined;
  credential?: CredentialBody | null | undefined;
}

interface Creator {
  userId: string;
  client: ReturnType<typeof clientInfo>;
}

/** Creates a project within the user's quota and enqueues its first indexing run. */
export async function createProject(
  deps: Deps,
  { name, git_url, description, credential: given }: NewProject,
  { userId, client }: Creator,
): Promise<Project & { duplicate_of: { id: string; name: string } | null }> {
  const requireQuota = (db: Transaction<Database>) => requireProjectQuota({ ...deps, db }, userId);
  // Checked before validating the URL, and again in the inserting transaction.
  await deps.db.transaction().execute(requireQuota);
  if (deps.config.publicInstance) {
    await consume(deps, `projects:${userId}`, deps.config.limits.projectsPerUser);
  }
  const remote = parseRemote(git_url, { ssh: given?.kind === 'ssh' });
  const credential = parseCredential(remote, given);
  await deps.egress.check(remote);
  const duplicateOf = await findProjectByUrl(deps.db, userId, remote.href);
  const values = { name, gitUrl: remote.href, description: description || null, ownerId: userId };
  const row = await deps.db.transaction().execute(async (trx) => {
    await requireQuota(trx);
    await requireProjectCapacity(trx, userId);
    const created = await insertProject(trx, values);
    if (credential) await saveCredential({ ...deps, db: trx }, { project: created, userId, credential });
    return created;
  });
  const detail = { project: row.name, git_url: row.git_url };
  await recordAuditEvent(deps.db, { userId, event: 'project_created', detail, ...client });
  if (credential?.isGenerated) return { ...(await markAwaitingKey(deps, row)), duplicate_of: duplicateOf };
  await requestIngest(deps, row.id, 'added');
  return { ...presentProject(row, 'owner'), duplicate_of: duplicateOf };
}
