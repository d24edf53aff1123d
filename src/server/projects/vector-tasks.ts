import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder } from '#assistant/models/embed.ts';
import type { JobContext } from '#db/job-queue.ts';
import { embedPassages } from '#memory/vectors/embed-passages.ts';
import type { Deps } from '../deps.ts';
import type { ServerJob } from '../events.ts';
import { isFeatureEnabled, requireFeature } from '../identity/feature-switches.ts';
import { recordEgress } from '../llm/egress-record.ts';
import { loadModelExclusions } from '../llm/project-model.ts';
import {
  EMBEDDING_JOB,
  type EmbeddingJob,
  modelFolder,
  vectorsFile,
  vectorsFolder,
  vectorsPath,
} from '../llm/query-embedding.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { openProjectIndex, projectStorage } from '../project-data/storage.ts';
import { runWithActivity } from './background-activity.ts';
import type { IngestDeps } from './index-tasks.ts';
import { findProjectRow } from './queries.ts';
import { runExclusive } from './run-exclusive.ts';

const RETRY_LIMIT = 2;

type EmbeddingDeps = IngestDeps & Pick<Deps, 'indexCache' | 'now'>;

/**
 * Returns the job that embeds the passages of a project after each indexing run. Does nothing without an embedding
 * model. An interrupted run resumes from the vectors on disk; a lost request is covered by a later question.
 */
export function embeddingJob(
  deps: EmbeddingDeps,
  { embedder, onFailure }: { embedder: Embedder | null; onFailure(error: unknown): void },
): ServerJob<EmbeddingJob> {
  return {
    name: EMBEDDING_JOB,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    afterIndexing: ({ projectId }) => (embedder === null ? null : { project_id: projectId }),
    run: async ({ project_id: projectId }, context) => {
      if (embedder === null || !(await isFeatureEnabled(deps, 'models'))) return;
      // One writer across replicas; a separate lock, so that a refresh does not wait for it.
      const lockKey = `vectors:${projectId}`;
      await runExclusive(deps, { projectId, lockKey, context }, (exclusive) =>
        embedProject(deps, projectId, { embedder, onFailure, context: exclusive }),
      );
    },
  };
}

interface EmbeddingTask {
  embedder: Embedder;
  onFailure(error: unknown): void;
  context: JobContext;
}

async function embedProject(
  deps: EmbeddingDeps,
  projectId: string,
  { embedder, onFailure, context }: EmbeddingTask,
): Promise<void> {
  const project = await findProjectRow(deps.db, projectId);
  const index = project && (await openProjectIndex(deps, project));
  if (!index?.code) return;
  const { code } = index;
  const { dataDir } = deps.config;
  const isExcluded = await loadModelExclusions(deps, projectId);
  const onCall = recordEgress(deps, { purpose: 'embedding', projectId, userId: null }, onFailure);
  const completed = await runWithActivity(
    deps,
    { projectId, phase: 'vectors', unit: 'passages', context },
    async (run) => {
      await deps.projectFiles.update(projectId, vectorsPath(embedder.name), () =>
        embedPassages({
          repo: projectStorage(dataDir, projectId).repo,
          code,
          ...(isExcluded && { isExcluded }),
          path: vectorsFile(dataDir, projectId, embedder.name),
          embed: async (texts, signal) => {
            await requireFeature(deps, 'models');
            return await embedder.embed(texts, { signal, onCall });
          },
          ...run,
        }),
      );
    },
  );
  if (!completed) return;
  await deps.projectFiles.withdrawOthers(projectId, 'vectors', [vectorsPath(embedder.name)]);
  await removeOtherModels(vectorsFolder(dataDir, projectId), modelFolder(embedder.name));
}

/** Deletes the vectors of previous models once those of the current model are complete. */
async function removeOtherModels(folder: string, currentModel: string): Promise<void> {
  const all = await readdir(folder).catch(() => []);
  for (const name of all) {
    if (name !== currentModel) await rm(join(folder, name), { recursive: true, force: true });
  }
}
