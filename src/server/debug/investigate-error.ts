import type { z } from 'zod';
import type { DebugAnswer, debugBody } from '#contract/debug.ts';
import { learnTrust } from '#investigate/confidence/calibration.ts';
import { shareIndex } from '#memory/index/attached-indexes.ts';
import type { Deps } from '../deps.ts';
import type { ProjectRow } from '../identity/access.ts';
import { type Asking, writeUp } from '../llm/model-answer.ts';
import { errorText } from '../llm/query-embedding.ts';
import { pastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { projectStanding } from '../project-data/index-freshness.ts';
import { atRevision } from '../project-data/revision.ts';
import { projectStorage, requireMemory } from '../project-data/storage.ts';
import { knownOutcomes } from './known-outcomes.ts';
import { saveSession } from './queries.ts';

interface Asked {
  user_id: string;
  request: z.infer<typeof debugBody>;
  signal: AbortSignal;
  /** Lets the model write, where there is one. Errors that nobody waits for are answered without. */
  write?: Pick<Asking, 'project' | 'checkers' | 'progress' | 'onLogFailure'>;
}

/** Answers an error from the memory of its project, to which access has been checked, and keeps the session. */
export async function investigateAndSave(
  deps: Deps,
  project: Pick<ProjectRow, 'id' | 'shard_generation' | 'branch' | 'indexed_commit' | 'fetched_at'>,
  { user_id, request, signal: caller, write }: Asked,
): Promise<DebugAnswer> {
  const memory = await requireMemory(deps, project);
  const sessions = await pastSessions(deps.db, project.id);
  const started = performance.now();
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const signal = deps.projectWork.register(project.id, caller);
  write?.progress('step', { step: 'reading' });
  const at = await atRevision(deps, { project, userId: user_id, memory, revision: request.revision, signal });
  const found = await deps.pool.answer(
    {
      repo,
      hunks: hunksFolder(deps.config.dataDir, project.id),
      shared: shareIndex(memory),
      meaning: await deps.meanings.of(errorText(request), { project, userId: user_id, signal }),
      at,
      request,
      sessions,
      trust: learnTrust(await knownOutcomes(deps.db, project.id)),
      now: deps.now().toISOString(),
    },
    // Nobody waits for what is only kept.
    { userId: user_id, signal, background: !write },
  );
  const written = write
    ? await writeUp(deps, found, request, { ...write, userId: user_id, memory, signal })
    : found;
  const { fingerprint, title, ...words } = written;
  const standing = request.revision ? null : await projectStanding(deps, project, found.indexed_commit);
  const answer = { ...words, standing, took_ms: Math.round(performance.now() - started) };
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
