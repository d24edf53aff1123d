import { checkModelText } from '#assistant/answer/model-text.ts';
import { buildSummaryPrompt, truncateSummary } from '#assistant/chat/summary.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { acquireModel } from '../llm/answer-context.ts';
import { recordEgress } from '../llm/egress-record.ts';
import { requireIndex } from '../project-data/storage.ts';
import { listSummaryChunks, type MessagePath } from './queries.ts';

const SUMMARY_TIMEOUT_MS = 60_000;

/**
 * Generates and stores the summary of the newest chunk that has none; its citations are verified first. Does
 * nothing without a model or budget, and the extractive summary remains.
 */
export async function updateSummary(
  deps: Deps,
  project: AccessibleProject,
  path: MessagePath,
  { userId, onLogFailure }: { userId: string; onLogFailure(error: unknown): void },
): Promise<void> {
  const chunk = (await listSummaryChunks(deps.db, path)).at(-1);
  if (!chunk || chunk.stored || path.threadId === null) return;
  const access = await acquireModel(deps, { userId, projectId: project.id });
  if (!access.model) return;
  const { model, onUsage, release } = access;
  try {
    const index = await requireIndex(deps, project);
    const repo = await deps.projectFiles.repositories.open(project.id);
    const signal = deps.projectCancellation.signalFor(project.id, AbortSignal.timeout(SUMMARY_TIMEOUT_MS));
    const purpose = { purpose: 'chat' as const, projectId: project.id, userId };
    const onCall = recordEgress(deps, purpose, onLogFailure);
    const options = { signal, onCall, onUsage };
    let text = '';
    for await (const delta of model.write(buildSummaryPrompt(chunk.messages), options)) text += delta;
    const content = await checkModelText(truncateSummary(text), { repo, index });
    if (content === '') return;
    await deps.db
      .insertInto('chat_summaries')
      .values({
        project_id: project.id,
        thread_id: path.threadId,
        last_message_id: chunk.lastId,
        content,
        model: model.name,
        created_at: deps.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } finally {
    await release();
  }
}
