import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder } from '#assistant/models/embed.ts';
import type { JobContext } from '#jobs/queue.ts';
import { embedPassages } from '#memory/vectors/embed-passages.ts';
import type { Deps } from '../deps.ts';
import { isOn, requireSwitch } from '../identity/feature-switches.ts';
import { recordEgress } from '../llm/egress-record.ts';
import {
  modelFolder,
  requestVectors,
  VECTORS_JOB,
  type VectorsJob,
  vectorsFile,
  vectorsFolder,
} from '../llm/query-embedding.ts';
import { byProject } from '../project-data/project-owner.ts';
import { openMemory, projectStorage } from '../project-data/storage.ts';
import { runWithActivity } from './background-activity.ts';
import { findProjectRow } from './queries.ts';
import { runExclusive } from './run-exclusive.ts';
import type { IngestDeps } from './tasks.ts';

const RETRIES = 2;

type VectorDeps = IngestDeps & Pick<Deps, 'indexCache' | 'now'>;

/**
 * Registers the job that gives the passages of a project their vectors once the project is ready, and again after each
 * refresh; without an embedding model it has nothing to do. What is embedded lies on disk, and the next run goes on from it.
 */
export function defineEmbedding(
  deps: VectorDeps,
  { embedder, onFailure }: { embedder: Embedder | null; onFailure(error: unknown): void },
): void {
  deps.jobs.define<VectorsJob>(
    VECTORS_JOB,
    { concurrency: 1, retryLimit: RETRIES, ...byProject(deps) },
    async ({ project_id: projectId }, context) => {
      if (embedder === null || !(await isOn(deps, 'models'))) return;
      // One writer, whichever replica it is in; a refresh need not wait for it.
      const lockKey = `vectors:${projectId}`;
      await runExclusive(deps, { projectId, lockKey, context }, (alone) =>
        embedProject(deps, projectId, { embedder, onFailure, context: alone }),
      );
    },
  );
  if (embedder === null) return;
  deps.events.subscribe('project-indexed', ({ projectId }) => {
    // A lost request is made up for by a later question.
    requestVectors(deps, projectId).catch(() => {});
  });
}

interface Work {
  embedder: Embedder;
  onFailure(error: unknown): void;
  context: JobContext;
}

async function embedProject(
  deps: VectorDeps,
  projectId: string,
  { embedder, onFailure, context }: Work,
): Promise<void> {
  const project = await findProjectRow(deps.db, projectId);
  const memory = project && (await openMemory(deps, project));
  if (!memory?.code) return;
  const { code } = memory;
  const { dataDir } = deps.config;
  const onCall = recordEgress(deps, { purpose: 'embedding', projectId, userId: null }, onFailure);
  const whole = await runWithActivity(
    deps,
    { projectId, phase: 'vectors', unit: 'passages', context },
    async (run) => {
      await embedPassages({
        repo: projectStorage(dataDir, projectId).repo,
        code,
        path: vectorsFile(dataDir, projectId, embedder.name),
        embed: async (texts, signal) => {
          await requireSwitch(deps, 'models');
          return await embedder.embed(texts, { signal, onCall });
        },
        ...run,
      });
    },
  );
  if (whole) await removeOtherModels(vectorsFolder(dataDir, projectId), modelFolder(embedder.name));
}

/** Now that this model's vectors are whole, those of the model before are of no use. */
async function removeOtherModels(folder: string, kept: string): Promise<void> {
  const all = await readdir(folder).catch(() => []);
  for (const name of all) {
    if (name !== kept) await rm(join(folder, name), { recursive: true, force: true });
  }
}
