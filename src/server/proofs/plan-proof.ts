import type { Selectable } from 'kysely';
import type { ProofPlan } from '#contract/proofs.ts';
import type { DebugSessionsTable } from '#db/debug-tables.ts';
import { formatMessage } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import { readCommitRange } from '#proof/bisection/commit-range.ts';
import { proposeCommands } from '#proof/commands/propose-commands.ts';
import { openRepositoryFiles } from '#proof/commands/repository-files.ts';
import { DEFAULT_COMMAND_LIMITS } from '#sandbox/commands/sandbox.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { openCommandSandbox } from '../project-data/command-sandbox.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { missingIndex } from '../project-data/missing-index.ts';
import { requireIndex } from '../project-data/storage.ts';

interface PlanRequest {
  project: AccessibleProject;
  session: Selectable<DebugSessionsTable>;
  userId: string;
  language: Language;
}

const MAX_SUSPECTS = 10;
const MAX_BRANCHES = 100;

/** Proposes commands and ends for a proof of a session, and says whether it can run here. */
export async function planProof(
  deps: Deps,
  { project, session, userId, language }: PlanRequest,
): Promise<ProofPlan> {
  const index = await requireIndex(deps, project);
  const repo = await deps.projectFiles.repositories.open(project.id);
  const bad = index.revision;
  const errorText = String(session.request.error_message ?? '');
  const commands = await readFromGit(deps, { project, userId }, async () =>
    proposeCommands(errorText, await openRepositoryFiles(repo, bad)),
  );
  const { suspect_commits = [], related_commits = [] } = session.answer;
  const suspects = [...suspect_commits, ...(related_commits ?? [])].slice(0, MAX_SUSPECTS);
  const first = index.commits.find(suspects[0]?.hash ?? '');
  const [parent] = first < 0 ? [] : index.commits.parents(first);
  return {
    ...(await describeReadiness(deps, project, language)),
    commands: commands.map(({ command, runner, path }) => ({ command, runner, path })),
    ...{ setup: project.setup_command, check: project.check_command, hosts: project.setup_hosts, bad },
    good: parent === undefined ? null : index.commits.oid(parent),
    suspects: suspects.map(({ hash, message }) => ({ hash, message })),
    limits: {
      run_seconds: DEFAULT_COMMAND_LIMITS.wallMs / 1000,
      memory_mb: DEFAULT_COMMAND_LIMITS.memoryMb,
      processes: DEFAULT_COMMAND_LIMITS.processes,
    },
    branches: await listChangedBranches(deps, project.id, userId),
  };
}

async function describeReadiness(
  deps: Deps,
  project: AccessibleProject,
  language: Language,
): Promise<Pick<ProofPlan, 'readiness' | 'message'>> {
  const found = await openCommandSandbox(deps);
  if ('unavailable' in found) {
    const { unavailable, detail } = found;
    return {
      readiness: unavailable,
      message: formatMessage(language, `errors.sandbox_${unavailable}`, { detail }),
    };
  }
  if (project.may_run) return { readiness: 'ready', message: null };
  return { readiness: 'not_allowed', message: formatMessage(language, 'errors.run_not_allowed') };
}

async function listChangedBranches({ db }: Deps, projectId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('branches')
    .select('name')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .whereRef('head', '<>', 'base')
    .orderBy('name')
    .limit(MAX_BRANCHES)
    .execute();
  return rows.map(({ name }) => name);
}

/** The indexed head. Throws `unavailable` before there is one, `conflict` where indexing failed. */
export async function requireBadEnd(
  deps: Pick<Deps, 'db'>,
  { id, indexed_commit: indexed }: Pick<AccessibleProject, 'id' | 'indexed_commit'>,
): Promise<string> {
  if (indexed === null) throw await missingIndex(deps, id);
  return indexed;
}

/** The last ancestor of a commit in topological order, full hashes. */
export async function findOldestCommit(repo: string, commit: string): Promise<string> {
  const { oids } = await readCommitRange(repo, { good: null, bad: commit });
  return oids.at(-1)!;
}
