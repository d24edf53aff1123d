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

/** What a chat is asked, and what may be used to answer it. */
export interface ChatRequest {
  project: { id: string; name: string; shard_generation: string | null };
  question: string;
  useCode: boolean;
  /** Earlier messages, oldest first; empty when they are not to be used. */
  history: ChatMessage[];
  summary: string;
}

/** Tells what is being done, and the text as it grows. */
export type ReportChatProgress = <E extends keyof ChatEvents>(event: E, data: ChatEvents[E]) => void;

const NO_MODEL =
  '*No language model is configured: this is the repository’s own evidence, put in order, in English. ' +
  'Whoever runs the server can add one by the setting `MODEL`, such as `ollama:qwen3`.*';

/** Earlier questions that a question may lean on. */
const LEANS_ON = 3;

/** An answer with what it took (null where no model wrote it) and the commit that it is about. */
export type ChatAnswer = Pick<ChatMessage, 'content' | 'status'> & { usage: Usage | null; commit: string };

type ProjectTools = (tool: Tool, input: unknown) => Promise<ToolResult>;

interface Answering {
  deps: Deps;
  model: Model | null;
  /** Why there is no model, where there could be one. */
  usedUp: Sentence | null;
  /** Hears what the answer takes. */
  onUsage(usage: Usage): void;
  signal: AbortSignal;
  progress: ReportChatProgress;
  /** Hears of every call that leaves the machine. */
  onCall(call: OutboundCall): void;
  userId: string;
}

/** Answers without a model, or lets the model write from what the repository says. */
export async function answerChat(request: ChatRequest, answering: Answering): Promise<ChatAnswer> {
  const { deps, model, signal, progress, userId } = answering;
  const { project, question, useCode, history } = request;
  const memory = await requireIndex(deps, project);
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const earlier = questions.toReversed().slice(0, LEANS_ON);
  const now = deps.now().toISOString();
  progress('step', { step: 'reading' });
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
    return await deps.pool.consult(task, { userId, signal });
  };
  if (model === null) {
    const why = answering.usedUp
      ? `*${answering.usedUp.text} This is the repository’s own evidence.*`
      : NO_MODEL;
    const content = `${(await consult()).answer}\n\n${why}`;
    progress('text', { text: content });
    return { content, status: 'done', usage: null, commit: memory.revision };
  }
  // Without code context nothing of the repository leaves the machine.
  const context = useCode ? (await consult()).context : '';
  progress('step', { step: 'writing' });
  const use: ProjectTools = (tool, input) => runProjectTool(deps, project, { tool, input, userId, signal });
  const written = await write({ ...request, context }, { repo, memory, use }, { ...answering, model });
  return { ...written, commit: memory.revision };
}

/** Lets the model write; its citations are checked before anybody sees them. */
async function write(
  { project, question, useCode, context, history, summary }: ChatRequest & { context: string },
  source: { repo: string; memory: RepositoryIndex; use: ProjectTools },
  { model, signal, progress, onCall, ...answering }: Answering & { model: Model },
): Promise<Omit<ChatAnswer, 'commit'>> {
  const prompt = buildChatPrompt({
    project: project.name,
    question,
    context,
    history: turns(history),
    summary,
  });
  const onStep = (tool: string, input: unknown) =>
    progress('step', { step: 'using', tool, query: summarizeInput(input) });
  let usage: Usage = { input: null, output: null };
  const options = {
    signal,
    onCall,
    onStep,
    onUsage: (sum: Usage) => {
      usage = sum;
      answering.onUsage(sum);
    },
    ...(useCode && { tools: modelTools(source.use, prompt.quote) }),
  };
  const known: VerdictCache = new Map();
  let content = '';
  try {
    for await (const text of streamCheckedLines(model.write(prompt, options), source, known)) {
      content += text;
      progress('text', { text });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return { content, status: 'stopped', usage };
  }
  // Once more as a whole: what came last may change how what came first is read.
  content = await checkModelText(content, source, known);
  if (content.trim() !== '') return { content, status: 'done', usage };
  throw new AppError('unavailable', 'The language model gave no answer. Try again.', {
    reason: 'model_failed',
  });
}

function turns(history: ChatMessage[]) {
  return history.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]));
}
