import type { z } from 'zod';
import type { DebugAnswer, debugBody } from '#contract/debug.ts';
import { learnTrust } from '#investigate/confidence/calibration.ts';
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

interface Asked {
  user_id: string;
  request: z.infer<typeof debugBody>;
  signal: AbortSignal;
  /** Lets the model write, where there is one. Errors that nobody waits for are answered without. */
  write?: Pick<ComposeOptions, 'project' | 'checkers' | 'progress' | 'onLogFailure'>;
}

/** Answers an error from the memory of its project, to which access has been checked, and keeps the session. */
export async function investigateAndSave(
  deps: Deps,
  project: Pick<ProjectRow, 'id' | 'shard_generation' | 'branch' | 'indexed_commit' | 'fetched_at'>,
  { user_id, request, signal: caller, write }: Asked,
): Promise<DebugAnswer> {
  const memory = await requireIndex(deps, project);
  const sessions = await listPastSessions(deps.db, project.id);
  const started = performance.now();
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const signal = deps.projectCancellation.signalFor(project.id, caller);
  write?.progress('step', { step: 'reading' });
  const at = await resolveTaskRevision(deps, {
    project,
    userId: user_id,
    memory,
    revision: request.revision,
    signal,
  });
  const found = await deps.pool.answer(
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
      trust: learnTrust(await loadCalibrationSamples(deps.db, project.id)),
      now: deps.now().toISOString(),
    },
    // Nobody waits for what is only kept.
    { userId: user_id, signal, background: !write },
  );
  const written = write
    ? await composeWithModel(deps, found, request, { ...write, userId: user_id, memory, signal })
    : found;
  const { fingerprint, title, ...words } = written;
  const freshness = request.revision ? null : await getIndexFreshness(deps, project, found.indexed_commit);
  const answer = { ...words, freshness, took_ms: Math.round(performance.now() - started) };
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
