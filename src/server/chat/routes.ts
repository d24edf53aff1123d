import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { chatRoutes } from '#contract/chat.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, type RequestContext, serve } from '../http/serve.ts';
import { acceptsEventStream, createEventStream } from '../http/sse.ts';
import { type Caller, type ProjectRow, projectAccess } from '../identity/access.ts';
import { recordEgress } from '../llm/egress-record.ts';
import { getModelForUser } from '../llm/language-model.ts';
import { reserveModelBudget } from '../llm/model-budget.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { getIndexFreshness } from '../project-data/index-freshness.ts';
import { requireIndex } from '../project-data/storage.ts';
import { consumeAnswerLimit } from '../rate-limit/rate-limiter.ts';
import { answerChat, type ReportChatProgress } from './answer-chat.ts';
import { exportFileName, formatThreadAsMarkdown } from './export-markdown.ts';
import { findMentions } from './mentions.ts';
import {
  clearChat,
  type Exchange,
  findBranchTip,
  findMessage,
  listMessages,
  listNewestMessages,
  listSummaries,
  loadConversationContext,
  type MessagePath,
  saveExchange,
} from './queries.ts';
import { updateSummary } from './summaries.ts';
import {
  createThread,
  deleteThread,
  findOwnThread,
  findReadableThread,
  listThreads,
  updateThread,
} from './threads.ts';

/** Of the messages in an exported file; the newest are in. */
const MAX_EXPORT_BYTES = 16 * 2 ** 20;

/** Serves the feature `chat`. Chats are private to their user until shared; every member of a project may chat. */
export function registerChat(app: FastifyInstance, deps: Deps): void {
  serve(app, chatRoutes.send, async (call) => {
    const { caller, params, body } = call;
    const project = await enter(deps, caller, params.id);
    await consumeAnswerLimit(deps, caller.userId);
    const thread = await findOwnThread(deps.db, ownerOf(project, caller), body.thread_id);
    const parentId = await parentOf(deps, project, caller, thread, body.parent_id);
    const question = { content: body.message, askedAt: deps.now() };
    return await answer(deps, call, project, { threadId: thread.threadId, parentId, question });
  });

  serve(app, chatRoutes.regenerate, async (call) => {
    const { caller, params } = call;
    const project = await enter(deps, caller, params.id);
    await consumeAnswerLimit(deps, caller.userId);
    const owner = ownerOf(project, caller);
    const message = await findMessage(deps.db, owner, params.message);
    const id = message.role === 'user' ? message.id : message.parent_id;
    if (id === null) throw new AppError('bad_request', 'No question stands before this message.');
    const asked = await findMessage(deps.db, owner, id);
    const question = { id, content: asked.content };
    return await answer(deps, call, project, {
      threadId: asked.thread_id,
      parentId: asked.parent_id,
      question,
    });
  });

  serve(app, chatRoutes.messages, async ({ caller, params, query }) => {
    return await listMessages(deps.db, await lineOf(deps, caller, params.id, query.thread), query);
  });

  serve(app, chatRoutes.clear, async ({ caller, params }) => {
    const project = await enter(deps, caller, params.id);
    await clearChat(deps.db, ownerOf(project, caller));
    return { ok: true as const };
  });

  serve(app, chatRoutes.summaries, async ({ caller, params, query }) => {
    return { summaries: await listSummaries(deps.db, await lineOf(deps, caller, params.id, query.thread)) };
  });

  serve(app, chatRoutes.mentions, async ({ caller, params, query }) => {
    const project = await enter(deps, caller, params.id);
    const memory = await requireIndex(deps, project);
    return { mentions: findMentions(memory, query.q, await listPastSessions(deps.db, project.id)) };
  });

  registerThreads(app, deps);
}

function registerThreads(app: FastifyInstance, deps: Deps): void {
  serve(app, chatRoutes.threads, async ({ caller, params, query }) => {
    const project = await enter(deps, caller, params.id);
    return { threads: await listThreads(deps.db, ownerOf(project, caller), query.q) };
  });

  serve(app, chatRoutes.createThread, async ({ caller, params }) => {
    const project = await enter(deps, caller, params.id);
    return { id: await createThread(deps.db, ownerOf(project, caller)) };
  });

  serve(app, chatRoutes.updateThread, async ({ caller, params, body }) => {
    const owner = ownerOf(await enter(deps, caller, params.id), caller);
    const { head: branch, ...changes } = body;
    const head = branch === undefined ? undefined : await headOf(deps, owner, params.thread, branch);
    await updateThread(deps.db, owner, params.thread, { ...changes, ...(head && { head }) });
    return { ok: true as const };
  });

  serve(app, chatRoutes.remove, async ({ caller, params }) => {
    const project = await enter(deps, caller, params.id);
    await deleteThread(deps.db, ownerOf(project, caller), params.thread);
    return { ok: true as const };
  });

  serve(app, chatRoutes.export, async ({ caller, params, reply }) => {
    const project = await enter(deps, caller, params.id);
    const { title, ...thread } = await findReadableThread(deps.db, ownerOf(project, caller), params.thread);
    const line = { projectId: project.id, ...thread };
    const messages = await listNewestMessages(deps.db, line, MAX_EXPORT_BYTES);
    reply.header('content-type', 'text/markdown; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="${exportFileName(title)}"`);
    return Readable.from([formatThreadAsMarkdown(title, project.name, messages)]);
  });
}

type Asking = RequestContext<typeof chatRoutes.send> | RequestContext<typeof chatRoutes.regenerate>;

interface Asked {
  threadId: string | null;
  /** The message that the question follows. */
  parentId: string | null;
  question: { content: string; askedAt: Date } | { id: string; content: string };
}

/** Answers, as events when asked to, and stores the question with its answer. */
async function answer(deps: Deps, call: Asking, project: ProjectRow, asked: Asked) {
  const { caller, body, request, reply } = call;
  const { threadId, parentId, question } = asked;
  const write = async (progress: ReportChatProgress, gone: AbortSignal) => {
    const signal = deps.projectCancellation.signalFor(project.id, gone);
    const line: MessagePath = { projectId: project.id, threadId, head: parentId };
    const past = body.use_chat_history
      ? await loadConversationContext(deps.db, line)
      : { messages: [], summary: '' };
    const { model, usedUp, spending } = await budgetedModel(deps, caller);
    const purpose = { purpose: 'chat' as const, projectId: project.id, userId: caller.userId };
    const onCall = recordEgress(deps, purpose, (error) => request.log.error({ err: error }, 'egress log'));
    const { content, status, usage, commit } = await answerChat(
      {
        project,
        question: question.content,
        useCode: body.use_code_context,
        history: past.messages,
        summary: past.summary,
      },
      { deps, model, usedUp, signal, progress, onCall, onUsage: spending.onUsage, userId: caller.userId },
    ).finally(spending.settle);
    const freshness = await getIndexFreshness(deps, project, commit);
    const exchange: Exchange = {
      question: 'id' in question ? { id: question.id } : question,
      parentId,
      answer: {
        ...{ content, status, freshness, at: deps.now() },
        model: usage && (model?.name ?? null),
        input_tokens: usage?.input ?? null,
        output_tokens: usage?.output ?? null,
      },
    };
    const stored = await saveExchange(deps.db, ownerOf(project, caller), threadId, exchange);
    const grown = { projectId: project.id, threadId: stored.thread_id, head: stored.id };
    // Nobody waits for it, and without it the summary is made without a model.
    if (body.use_chat_history) {
      updateSummary(deps, project, grown, { userId: caller.userId, onCall }).catch((error: unknown) =>
        request.log.warn({ err: error }, 'summary of a chat'),
      );
    }
    return { response: content, freshness, ...stored };
  };
  if (acceptsEventStream(request)) return createEventStream(request, reply, write);
  return await write(() => {}, abortOnDisconnect(reply));
}

/** The model that may write for the caller; none, and why, where their budget is used up. */
async function budgetedModel(deps: Deps, { userId }: Caller) {
  const model = await getModelForUser(deps, userId);
  const nothing = { onUsage: () => {}, settle: async () => {} };
  if (!model) return { model, usedUp: null, spending: nothing };
  const reserved = await reserveModelBudget(deps, { userId });
  if ('usedUp' in reserved) return { model: null, usedUp: reserved.usedUp, spending: nothing };
  return { model, usedUp: null, spending: reserved };
}

/** The message that a question follows: the last of what is shown, unless the caller names another of the thread. */
async function parentOf(
  deps: Deps,
  project: ProjectRow,
  caller: Caller,
  { threadId, head }: Pick<MessagePath, 'threadId' | 'head'>,
  wanted: string | null | undefined,
): Promise<string | null> {
  if (wanted === undefined) return head;
  if (wanted === null) return null;
  const message = await findMessage(deps.db, ownerOf(project, caller), wanted);
  if (message.thread_id !== threadId) throw new AppError('not_found', 'Message not found.');
  return message.id;
}

/** Where the branch that a message is in ends. Throws `not_found` for a message of another thread. */
async function headOf(
  deps: Deps,
  owner: ReturnType<typeof ownerOf>,
  thread: string,
  branch: string,
): Promise<string> {
  const message = await findMessage(deps.db, owner, branch);
  if (message.thread_id !== thread) throw new AppError('not_found', 'Message not found.');
  return await findBranchTip(deps.db, owner.projectId, message.id);
}

async function lineOf(
  deps: Deps,
  caller: Caller,
  projectId: string,
  thread: string | undefined,
): Promise<MessagePath> {
  const project = await enter(deps, caller, projectId);
  const { threadId, head } = await findReadableThread(deps.db, ownerOf(project, caller), thread);
  return { projectId: project.id, threadId, head };
}

async function enter(deps: Deps, caller: Caller, id: string): Promise<ProjectRow> {
  return await projectAccess(deps, caller, id, 'viewer');
}

function ownerOf(project: ProjectRow, caller: Caller) {
  return { projectId: project.id, userId: caller.userId };
}
