import type { ErrorAnswer } from '#assistant/debug/answer-error.ts';
import { withoutModel, writeWithModel } from '#assistant/debug/write.ts';
import type { DebugEvents } from '#contract/debug.ts';
import type { CheckerPool } from '#diagnose/checker-pool.ts';
import type { ErrorReport } from '#investigate/text/error-report.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { projectStorage } from '../project-data/storage.ts';
import { recordEgress } from './egress-record.ts';
import { getModelForUser } from './language-model.ts';
import { reserveModelBudget } from './model-budget.ts';

/** Tells what is being done for an answer. */
export type EmitProgress = <E extends keyof DebugEvents>(event: E, data: DebugEvents[E]) => void;

/** For whom a model writes an answer up, and who hears how far it is. */
export interface ComposeOptions {
  project: { id: string; name: string };
  userId: string;
  memory: RepositoryIndex;
  checkers: Pick<CheckerPool, 'check'>;
  signal: AbortSignal;
  progress: EmitProgress;
  /** Hears of a call that could not be written into the log. */
  onLogFailure(error: unknown): void;
}

/** The answer as the model writes it up; as it is where there is no model, or where it fails. */
export async function composeWithModel(
  deps: Deps,
  found: ErrorAnswer,
  request: ErrorReport,
  { project, userId, onLogFailure, progress, ...asking }: ComposeOptions,
): Promise<ErrorAnswer> {
  const model = await getModelForUser(deps, userId);
  if (!model) return found;
  const share = await reserveModelBudget(deps, { userId });
  if ('usedUp' in share) return withoutModel(found, model, share.usedUp);
  const { root_cause, confidence, abstained } = found;
  progress('findings', { root_cause, confidence, abstained });
  const purpose = { purpose: 'debug' as const, projectId: project.id, userId };
  try {
    return await writeWithModel(found, request, {
      ...asking,
      model,
      project: project.name,
      repo: projectStorage(deps.config.dataDir, project.id).repo,
      onStep: (step) => progress('step', { step }),
      onCall: recordEgress(deps, purpose, onLogFailure),
      onUsage: share.onUsage,
    });
  } finally {
    await share.settle();
  }
}
