import { buildChatPrompt } from '#assistant/chat/chat-prompt.ts';
import { checkModelText, streamCheckedLines, type VerdictCache } from '#assistant/model-text.ts';
import type { Model, OutboundCall, Usage } from '#assistant/models/port.ts';
import { modelTools, summarizeInput } from '#assistant/tools/model-tools.ts';
import type { Tool, ToolResult } from '#assistant/tools/tool.ts';
import type { ChatEvents, ChatMessage } from '#contract/chat.ts';
import type { Sentence } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import { shareIndex } from '#memory/index/attached-indexes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { runProjectTool } from '../llm/project-tools.ts';
import { projectStorage, requireIndex } from '../project-data/storage.ts';

/** A question with the sources it may use. */
export interface ChatRequest {
  project: { id: string; name: string; shard_generation: string | null };
  question: string;
  useCode: boolean;
  /** Earlier messages, oldest first; empty when history is disabled. */
  history: ChatMessage[];
  summary: string;
}

/** Reports progress steps and text deltas. */
export type ReportChatProgress = <E extends keyof ChatEvents>(event: E, data: ChatEvents[E]) => void;

const NO_MODEL =
  '*No language model is configured: this is the repository’s own evidence, put in order, in English. ' +
  'Whoever runs the server can add one by the setting `MODEL`, such as `ollama:qwen3`.*';

/** Earlier questions that provide context. */
const MAX_EARLIER_QUESTIONS = 3;

/** An answer with its token usage (null without a model) and the commit it is based on. */
export type ChatAnswer = Pick<ChatMessage, 'content' | 'status'> & { usage: Usage | null; commit: string };

type RunProjectTool = (tool: Tool, input: unknown) => Promise<ToolResult>;

interface ChatAnswerContext {
  deps: Deps;
  model: Model | null;
  /** Reason a configured model is not used. */
  budgetExhausted: Sentence | null;
  /** Reports the token usage. */
  onUsage(usage: Usage): void;
  signal: AbortSignal;
  progress: ReportChatProgress;
  /** Reports every outbound request. */
  onCall(call: OutboundCall): void;
  userId: string;
}

/** Answers with the model if available, else from repository evidence alone. */
export async function answerChat(request: ChatRequest, chatContext: ChatAnswerContext): Promise<ChatAnswer> {
  const { deps, model, signal, progress, userId } = chatContext;
  const { project, question, useCode, history } = request;
  const memory = await requireIndex(deps, project);
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const earlier = questions.toReversed().slice(0, MAX_EARLIER_QUESTIONS);
  const now = deps.now().toISOString();
  progress('step', { step: 'retrieving' });
  const consult = async () => {
    const meaning = useCode
      ? await deps.queryEmbedder.embedQuery(question, { project, userId, signal })
      : null;
    const task = {
      repo,
      shared: shareIndex(memory),
      meaning,
      question: { text: question, earlier },
      useCode,
      now,
    };
    return await deps.pool.answerQuestion(task, { userId, signal });
  };
  if (model === null) {
    const why = chatContext.budgetExhausted
      ? `*${chatContext.budgetExhausted.text} This is the repository’s own evidence.*`
      : NO_MODEL;
    const content = `${(await consult()).answer}\n\n${why}`;
    progress('text', { text: content });
    return { content, status: 'done', usage: null, commit: memory.revision };
  }
  // Without code context, no repository content is sent to the model.
  const context = useCode ? (await consult()).context : '';
  progress('step', { step: 'generating' });
  const runTool: RunProjectTool = (tool, input) =>
    runProjectTool(deps, project, { tool, input, userId, signal });
  const composed = await composeWithModel(
    { ...request, context },
    { repo, memory, runTool },
    { ...chatContext, model },
  );
  return { ...composed, commit: memory.revision };
}

/** Streams the model’s answer with verified citations. */
async function composeWithModel(
  { project, question, useCode, context, history, summary }: ChatRequest & { context: string },
  source: { repo: string; memory: RepositoryIndex; runTool: RunProjectTool },
  { model, signal, progress, onCall, ...chatContext }: ChatAnswerContext & { model: Model },
): Promise<Omit<ChatAnswer, 'commit'>> {
  const prompt = buildChatPrompt({
    project: project.name,
    question,
    context,
    history: toTurns(history),
    summary,
  });
  const onStep = (tool: string, input: unknown) =>
    progress('step', { step: 'tool_call', tool, query: summarizeInput(input) });
  let usage: Usage = { input: null, output: null };
  const options = {
    signal,
    onCall,
    onStep,
    onUsage: (sum: Usage) => {
      usage = sum;
      chatContext.onUsage(sum);
    },
    ...(useCode && { tools: modelTools(source.runTool, prompt.quote) }),
  };
  const verdicts: VerdictCache = new Map();
  let content = '';
  try {
    for await (const text of streamCheckedLines(model.write(prompt, options), source, verdicts)) {
      content += text;
      progress('text', { text });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return { content, status: 'stopped', usage };
  }
  // Checked again as a whole: later text can change how earlier text is parsed.
  content = await checkModelText(content, source, verdicts);
  if (content.trim() !== '') return { content, status: 'done', usage };
  throw new AppError('unavailable', 'model_answer_empty', {
    reason: 'model_failed',
  });
}

function toTurns(history: ChatMessage[]) {
  return history.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]));
}
