import { produceAnswer } from '#assistant/answer/answer-pipeline.ts';
import { type ChatAnswer, type ChatRequest, createChatSteps } from '#assistant/chat/chat-steps.ts';
import type { Deps } from '../deps.ts';
import { type AnswerContextOptions, createAnswerContext } from '../llm/answer-context.ts';
import { runProjectTool } from '../llm/project-tools.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { requireIndex } from '../project-data/storage.ts';

/** Earlier questions that provide context. */
const MAX_EARLIER_QUESTIONS = 3;

interface ChatCall extends Omit<AnswerContextOptions, 'project' | 'index' | 'purpose'> {
  project: { id: string; name: string; shard_generation: string | null };
}

/** Answers a question about a project, after the access check; `commit` is the one that the answer is about. */
export async function answerChat(
  deps: Deps,
  request: ChatRequest,
  { project, ...call }: ChatCall,
): Promise<ChatAnswer & { commit: string }> {
  const { userId, signal } = call;
  const index = await requireIndex(deps, project);
  const context = await createAnswerContext(deps, { ...call, project, index, purpose: 'chat' });
  const { question, useCode, history } = request;
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const collect = async () => {
    const queryEmbedding = useCode
      ? await deps.queryEmbedder.embedQuery(question, { project, userId, signal })
      : null;
    const task = {
      ...{ repo: context.repo, shared: index.shared, queryEmbedding, useCode },
      hunks: hunksFolder(deps.config.dataDir, project.id),
      question: { text: question, earlier: questions.toReversed().slice(0, MAX_EARLIER_QUESTIONS) },
      language: context.language,
      now: deps.now().toISOString(),
    };
    return await deps.pool.answerQuestion(task, { userId, signal });
  };
  const steps = createChatSteps(
    request,
    { collect, runTool: (tool, input) => runProjectTool(deps, project, { tool, input, userId, signal }) },
    context,
  );
  return { ...(await produceAnswer(steps, context)), commit: index.revision };
}
