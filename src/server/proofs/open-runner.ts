import { join } from 'node:path';
import type { Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { ProjectsTable } from '#db/project-tables.ts';
import type { RunTarget } from '#proof/runner.ts';
import type { Sandbox } from '#sandbox/commands/sandbox.ts';
import type { Deps } from '../deps.ts';
import { openCommandSandbox } from '../project-data/command-sandbox.ts';
import { projectStorage } from '../project-data/storage.ts';
import type { ProofRow } from './queries.ts';
import { createSandboxRunner, type PrepareCheckout, type SandboxRunner } from './sandbox-runner.ts';

/** Returns the sandbox of this server. Throws `unavailable` with what to do where there is none. */
export async function requireSandbox(deps: Pick<Deps, 'db' | 'config'>): Promise<Sandbox> {
  const found = await openCommandSandbox(deps);
  if ('sandbox' in found) return found.sandbox;
  const { unavailable, detail } = found;
  throw new AppError('unavailable', `sandbox_${unavailable}`, {
    params: { detail },
    reason: 'sandbox_unavailable',
  });
}

interface RunnerRequest {
  proof: ProofRow;
  project: Selectable<ProjectsTable>;
  repo: string;
}

/** Opens the runner of a proof. Throws when the sandbox is gone, or the owner has withdrawn the permission since the proof was started. */
export async function openSandboxRunner(
  deps: Pick<Deps, 'db' | 'config' | 'egress'>,
  { proof, project, repo }: RunnerRequest,
): Promise<SandboxRunner> {
  if (!project.may_run) throw new AppError('conflict', 'run_not_allowed', { reason: 'run_not_allowed' });
  const sandbox = await requireSandbox(deps);
  const { script, setup } = proof.request;
  const prepare = setup === null ? null : prepareBy(deps, { sandbox, command: setup, project, repo });
  return createSandboxRunner({ sandbox, repo, script, prepare });
}

interface SetupOptions {
  sandbox: Sandbox;
  command: string;
  project: Pick<Selectable<ProjectsTable>, 'id' | 'setup_hosts'>;
  repo: string;
}

/** Prepares checkouts by a command, whose results are kept in the project's folder. */
function prepareBy(
  { config, egress }: Pick<Deps, 'config' | 'egress'>,
  { sandbox, command, project, repo }: SetupOptions,
): PrepareCheckout {
  const cacheDir = join(projectStorage(config.dataDir, project.id).root, 'setups');
  return async ({ commit, patch }: RunTarget, signal) => {
    const request = { repo, commit, patch, command, hosts: project.setup_hosts, cacheDir, egress, signal };
    const outcome = await sandbox.prepare(request);
    if ('setup' in outcome) return { prepared: outcome.setup };
    const refused = outcome.refusedHosts.map((host) => `Refused: ${host}\n`).join('');
    return { failure: `${refused}${outcome.failed.output}` };
  };
}
