import type { z } from 'zod';
import type { DebugAnswer, debugBody } from '#contract/debug.ts';
import { fitCalibration } from '#investigate/confidence/calibration.ts';
import { shareIndex } from '#memory/index/attached-indexes.ts';
import type { Deps } from '../deps.ts';
import type { ProjectRow } from '../identity/access.ts';
import { type ComposeOptions, composeWithModel } from '../llm/model-answer.ts';
import { errorQueryText } from '../llm/query-embedding.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { getIndexFreshness } from '../project-data/index-freshness.ts';
import { resolveTaskRevision } from '../project-data/revision.ts';
import { projectStorage, requireIndex } from '../project-data/storage.ts';
import { loadCalibrationSamples } from './calibration-samples.ts';
import { saveSession } from './queries.ts';

interface InvestigationRequest {
  user_id: string;
  request: z.infer<typeof debugBody>;
  signal: AbortSignal;
  /** Composes the answer with the model, if configured. Omitted for background investigations. */
  compose?: Pick<ComposeOptions, 'project' | 'checkers' | 'progress' | 'onLogFailure'>;
}

/** Investigates an error in the index of a project, after the access check, and saves the session. */
export async function investigateAndSave(
  deps: Deps,
  project: Pick<ProjectRow, 'id' | 'shard_generation' | 'branch' | 'indexed_commit' | 'fetched_at'>,
  { user_id, request, signal: caller, compose }: InvestigationRequest,
): Promise<DebugAnswer> {
  const memory = await requireIndex(deps, project);
  const sessions = await listPastSessions(deps.db, project.id);
  const started = performance.now();
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const signal = deps.projectCancellation.signalFor(project.id, caller);
  compose?.progress('step', { step: 'retrieving' });
  const at = await resolveTaskRevision(deps, {
    project,
    userId: user_id,
    memory,
    revision: request.revision,
    signal,
  });
  const result = await deps.pool.answerError(
    {
      repo,
      hunks: hunksFolder(deps.config.dataDir, project.id),
      shared: shareIndex(memory),
      meaning: await deps.queryEmbedder.embedQuery(errorQueryText(request), {
        project,
        userId: user_id,
        signal,
      }),
      at,
      request,
      sessions,
      trust: fitCalibration(await loadCalibrationSamples(deps.db, project.id)),
      now: deps.now().toISOString(),
    },
    // Without composition no user is waiting.
    { userId: user_id, signal, background: !compose },
  );
  const composed = compose
    ? await composeWithModel(deps, result, request, { ...compose, userId: user_id, memory, signal })
    : result;
  const { fingerprint, title, ...rest } = composed;
  const freshness = request.revision ? null : await getIndexFreshness(deps, project, result.indexed_commit);
  const answer = { ...rest, freshness, took_ms: Math.round(performance.now() - started) };
  return await saveSession(deps.db, {
    project_id: project.id,
    user_id,
    fingerprint,
    title,
    draft: at?.isDraft ?? false,
    request,
    answer,
  });
}
