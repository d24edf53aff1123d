import { buildSummaryPrompt, truncateSummary } from '#assistant/chat/summary.ts';
import { checkModelText } from '#assistant/model-text.ts';
import type { OutboundCall } from '#assistant/models/port.ts';
import type { Deps } from '../deps.ts';
import type { ProjectRow } from '../identity/access.ts';
import { modelFor } from '../llm/language-model.ts';
import { reserveModel } from '../llm/model-budget.ts';
import { projectStorage, requireMemory } from '../project-data/storage.ts';
import { listSummaryChunks, type MessagePath } from './queries.ts';

const PATIENCE_MS = 60_000;

/**
 * Lets the model sum up the newest stretch of a long thread that has no summary yet, once, and keeps that; its citations are
 * checked first. Does nothing without a model, or where the person's budget is used up: the summary made without one stays.
 */
export async function updateSummary(
  deps: Deps,
  project: ProjectRow,
  line: MessagePath,
  { userId, onCall }: { userId: string; onCall(call: OutboundCall): void },
): Promise<void> {
  const stretch = (await listSummaryChunks(deps.db, line)).at(-1);
  const model = stretch && !stretch.written ? await modelFor(deps, userId) : null;
  if (!stretch || !model || line.threadId === null) return;
  const reserved = await reserveModel(deps, { userId });
  if ('usedUp' in reserved) return;
  try {
    const memory = await requireMemory(deps, project);
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const signal = deps.projectWork.register(project.id, AbortSignal.timeout(PATIENCE_MS));
    const options = { signal, onCall, onUsage: reserved.onUsage };
    let text = '';
    for await (const piece of model.write(buildSummaryPrompt(stretch.messages), options)) text += piece;
    const content = await checkModelText(truncateSummary(text), { repo, memory });
    if (content === '') return;
    await deps.db
      .insertInto('chat_summaries')
      .values({
        project_id: project.id,
        thread_id: line.threadId,
        last_id: stretch.lastId,
        content,
        model: model.name,
        created_at: deps.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } finally {
    await reserved.settle();
  }
}
