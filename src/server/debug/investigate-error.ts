import type { z } from 'zod';
import { produceAnswer } from '#assistant/answer/answer-pipeline.ts';
import { createDebugSteps } from '#assistant/debug/debug-steps.ts';
import type { DebugAnswer, debugBody } from '#contract/debug.ts';
import { AppError } from '#contract/errors.ts';
import type { CheckerPool } from '#diagnose/checker-pool.ts';
import { fitCalibration } from '#investigate/calibration.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { loadUserLanguage } from '../identity/user-store.ts';
import { type AnswerContextOptions, createAnswerContext } from '../llm/answer-context.ts';
import { errorQueryText } from '../llm/query-embedding.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { getIndexFreshness } from '../project-data/index-freshness.ts';
import { findErrorIssues } from '../project-data/issue-records.ts';
import type { ReleaseRange } from '../project-data/release-order.ts';
import { projectStorage, requireIndex } from '../project-data/storage.ts';
import { resolveAnswerRevision } from '../project-data/working-branch.ts';
import { loadCalibrationSamples } from './calibration-samples.ts';
import { withOtherProject } from './other-project.ts';
import { saveSession } from './queries.ts';

interface InvestigationRequest {
  user_id: string;
  request: z.infer<typeof debugBody>;
  signal: AbortSignal;
  /** Composes the answer with the model, if configured. Omitted for background investigations. */
  interactive?: InteractiveOptions;
  /** The error of an investigation of events, and the commits that can have caused it. */
  group?: { fingerprint: string; releaseRange: ReleaseRange | null };
}

interface InteractiveOptions extends Pick<AnswerContextOptions, 'emit' | 'onLogFailure'> {
  checkers: Pick<CheckerPool, 'check'>;
}

/** Investigates an error at the revision of its release, or at the head where git does not know that name. */
export async function investigateAtRelease(
  deps: Deps,
  project: Parameters<typeof investigateAndSave>[1],
  investigation: InvestigationRequest,
): Promise<DebugAnswer> {
  try {
    return await investigateAndSave(deps, project, investigation);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'revision_not_found') throw error;
    const request = { ...investigation.request, revision: null };
    return await investigateAndSave(deps, project, { ...investigation, request });
  }
}

/** Investigates an error in the index of a project, after the access check, and saves the session. */
export async function investigateAndSave(
  deps: Deps,
  project: Pick<
    AccessibleProject,
    'id' | 'name' | 'shard_generation' | 'branch' | 'indexed_commit' | 'fetched_at' | 'path_mappings'
  >,
  { user_id: userId, request, signal: caller, interactive, group }: InvestigationRequest,
): Promise<DebugAnswer> {
  const index = await requireIndex(deps, project, { withCode: true });
  const started = performance.now();
  const signal = deps.projectCancellation.signalFor(project.id, caller);
  // Investigations in the background are for all members.
  const workingBranch = interactive ? request.working_branch : false;
  const reader = { project, userId, index, signal };
  const { revision } = request;
  const resolved = await resolveAnswerRevision(deps, { ...reader, revision, workingBranch });
  const { ownBranch } = resolved;
  // An answer for all members shows no draft, even where a release is named by its commit.
  const at = group && resolved.at?.isDraft ? null : resolved.at;
  const collect = async () => {
    const caller = { project, userId, signal };
    const queryEmbedding = await deps.queryEmbedder.embedQuery(errorQueryText(request), caller);
    const found = await deps.pool.answerError(
      async () => ({
        repo: projectStorage(deps.config.dataDir, project.id).repo,
        hunks: hunksFolder(deps.config.dataDir, project.id),
        shared: index.shared,
        queryEmbedding,
        at,
        request,
        sessions: await listPastSessions(deps.db, project.id),
        issues: await findErrorIssues(deps.db, project.id, request.error_message),
        pathMappings: project.path_mappings,
        suspectsSince: group?.releaseRange?.since ?? null,
        calibration: fitCalibration(await loadCalibrationSamples(deps.db, project.id)),
        language: await loadUserLanguage(deps.db, userId),
        now: deps.now().toISOString(),
      }),
      { userId, signal, background: !interactive },
    );
    return interactive ? await withOtherProject(deps, found, { project, userId, request, signal }) : found;
  };
  const compose = async ({ checkers, ...options }: InteractiveOptions) => {
    const purpose = 'debug';
    const source = { ...options, project, userId, index, revision: at?.revision ?? null };
    const context = await createAnswerContext(deps, { ...source, purpose, signal });
    return await produceAnswer(createDebugSteps(request, { collect, checkers }, context), context);
  };
  const { fingerprint: _, title, ...rest } = await (interactive ? compose(interactive) : collect());
  const freshness = revision
    ? null
    : { ...(await getIndexFreshness(deps, project, index.revision)), own_branch: ownBranch };
  const answer = { ...rest, freshness, took_ms: Math.round(performance.now() - started) };
  return await saveSession(deps.db, {
    project_id: project.id,
    user_id: userId,
    title,
    group,
    draft: at?.isDraft ?? false,
    request,
    answer,
  });
}
