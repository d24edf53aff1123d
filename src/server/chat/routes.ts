import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { EmitAnswerEvent } from '#assistant/answer/answer-context.ts';
import { chatRoutes } from '#contract/chat.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, type RequestContext, serve } from '../http/serve.ts';
import { acceptsEventStream, createEventStream } from '../http/sse.ts';
import { type AccessibleProject, type Caller, projectAccess } from '../identity/access.ts';
import { selectModel } from '../llm/select-model.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { getIndexFreshness } from '../project-data/index-freshness.ts';
import { requireIndex } from '../project-data/storage.ts';
import { consumeAnswerLimit } from '../rate-limit/rate-limiter.ts';
import { answerChat } from './answer-chat.ts';
import {
  deleteUnsent,
  findAttachment,
  listAttachments,
  loadAttachments,
  loadEarlierTexts,
  saveAttachment,
  toPromptAttachments,
} from './attachments.ts';
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
  presentMessage,
  saveExchange,
} from './queries.ts';
import { readAttachment } from './read-attachment.ts';
import { updateSummary } from './summaries.ts';
import {
  createThread,
  deleteThread,
  findOwnThread,
  findReadableThread,
  isSharedThread,
  listThreads,
  requireShareable,
  updateThread,
} from './threads.ts';

/** Size limit of the messages in an export; the newest are kept. */
const MAX_EXPORT_BYTES = 16 * 2 ** 20;

/** Registers the `chat` routes. Chats are private until shared; every member of a project may chat. */
export function registerChat(app: FastifyInstance, deps: Deps): void {
  serve(app, chatRoutes.send, async (call) => {
    const { caller, params, body } = call;
    const project = await requireViewer(deps, caller, params.id);
    await consumeAnswerLimit(deps, caller.userId);
    const thread = await findOwnThread(deps.db, chatOwner(project, caller), body.thread_id);
    const parentId = await resolveParentId(deps, project, caller, thread, body.parent_id);
    const question = { content: body.message, askedAt: deps.now(), attachments: body.attachments };
    return await answerQuestion(deps, call, project, { threadId: thread.threadId, parentId, question });
  });

  serve(app, chatRoutes.regenerate, async (call) => {
    const { caller, params } = call;
    const project = await requireViewer(deps, caller, params.id);
    await consumeAnswerLimit(deps, caller.userId);
    const owner = chatOwner(project, caller);
    const message = await findMessage(deps.db, owner, params.message);
    const id = message.role === 'user' ? message.id : message.parent_id;
    if (id === null) throw new AppError('bad_request', 'no_question_before_message');
    const questionMessage = await findMessage(deps.db, owner, id);
    const files = (await listAttachments(deps.db, project.id, [id])).get(id) ?? [];
    const attachments = files.map((file) => file.id);
    const question = { id, content: questionMessage.content, attachments };
    return await answerQuestion(deps, call, project, {
      threadId: questionMessage.thread_id,
      parentId: questionMessage.parent_id,
      question,
    });
  });

  serve(app, chatRoutes.messages, async ({ caller, params, query }) => {
    return await listMessages(deps.db, await resolvePath(deps, caller, params.id, query.thread), query);
  });

  serve(app, chatRoutes.message, async ({ caller, params }) => {
    const project = await requireViewer(deps, caller, params.id);
    const message = await findMessage(deps.db, chatOwner(project, caller), params.message);
    const files = await listAttachments(deps.db, project.id, [message.id]);
    return presentMessage(message, files.get(message.id));
  });

  serve(app, chatRoutes.clear, async ({ caller, params }) => {
    const project = await requireViewer(deps, caller, params.id);
    await clearChat(deps.db, chatOwner(project, caller));
    return { ok: true as const };
  });

  serve(app, chatRoutes.summaries, async ({ caller, params, query }) => {
    return {
      summaries: await listSummaries(deps.db, await resolvePath(deps, caller, params.id, query.thread)),
    };
  });

  serve(app, chatRoutes.mentions, async ({ caller, params, query }) => {
    const project = await requireViewer(deps, caller, params.id);
    const index = await requireIndex(deps, project);
    return { mentions: findMentions(index, query.q, await listPastSessions(deps.db, project.id)) };
  });

  registerThreadRoutes(app, deps);
  registerAttachmentRoutes(app, deps);
}

function registerAttachmentRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, chatRoutes.upload, async ({ caller, params, body }) => {
    const project = await requireViewer(deps, caller, params.id);
    const file = readAttachment(body.name, Buffer.from(body.data, 'base64'));
    return await saveAttachment(deps, chatOwner(project, caller), file);
  });

  serve(app, chatRoutes.attachment, async ({ caller, params }) => {
    const project = await requireViewer(deps, caller, params.id);
    const { data, ...file } = await findAttachment(deps.db, chatOwner(project, caller), params.attachment);
    return { ...file, data: data?.toString('base64') ?? null };
  });

  serve(app, chatRoutes.removeAttachment, async ({ caller, params }) => {
    const project = await requireViewer(deps, caller, params.id);
    await deleteUnsent(deps.db, chatOwner(project, caller), params.attachment);
    return { ok: true as const };
  });
}

function registerThreadRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, chatRoutes.threads, async ({ caller, params, query }) => {
    const project = await requireViewer(deps, caller, params.id);
    return { threads: await listThreads(deps.db, chatOwner(project, caller), query.q) };
  });

  serve(app, chatRoutes.createThread, async ({ caller, params }) => {
    const project = await requireViewer(deps, caller, params.id);
    return { id: await createThread(deps.db, chatOwner(project, caller)) };
  });

  serve(app, chatRoutes.updateThread, async ({ caller, params, body }) => {
    const owner = chatOwner(await requireViewer(deps, caller, params.id), caller);
    const { head: branch, ...changes } = body;
    const head =
      branch === undefined ? undefined : await resolveBranchTip(deps, owner, params.thread, branch);
    if (changes.shared) await requireShareable(deps.db, owner, params.thread);
    await updateThread(deps.db, owner, params.thread, { ...changes, ...(head && { head }) });
    return { ok: true as const };
  });

  serve(app, chatRoutes.remove, async ({ caller, params }) => {
    const project = await requireViewer(deps, caller, params.id);
    await deleteThread(deps.db, chatOwner(project, caller), params.thread);
    return { ok: true as const };
  });

  serve(app, chatRoutes.export, async ({ caller, params, reply }) => {
    const project = await requireViewer(deps, caller, params.id);
    const { title, ...thread } = await findReadableThread(deps.db, chatOwner(project, caller), params.thread);
    const path = { projectId: project.id, ...thread };
    const messages = await listNewestMessages(deps.db, path, MAX_EXPORT_BYTES);
    reply.header('content-type', 'text/markdown; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="${exportFileName(title)}"`);
    return Readable.from([formatThreadAsMarkdown(title, project.name, messages)]);
  });
}

type AnswerRequest = RequestContext<typeof chatRoutes.send> | RequestContext<typeof chatRoutes.regenerate>;

interface PendingExchange {
  threadId: string | null;
  /** Message before the question. */
  parentId: string | null;
  question: { content: string; attachments: readonly string[] } & ({ askedAt: Date } | { id: string });
}

/** Answers a question, streamed as events on request, and saves the exchange. */
async function answerQuestion(
  deps: Deps,
  call: AnswerRequest,
  project: AccessibleProject,
  pending: PendingExchange,
) {
  const { caller, body, request, reply } = call;
  const { threadId, parentId, question } = pending;
  const files = await loadAttachments(deps.db, chatOwner(project, caller), question.attachments);
  if (files.some(({ kind }) => kind === 'image')) await requireImageModel(deps, caller, project);
  const onLogFailure = (error: unknown) => request.log.error({ err: error }, 'egress log');
  const run = async (emit: EmitAnswerEvent, disconnected: AbortSignal) => {
    const signal = deps.projectCancellation.signalFor(project.id, disconnected);
    const path: MessagePath = { projectId: project.id, threadId, head: parentId };
    const conversation = body.use_chat_history
      ? await loadConversationContext(deps.db, path)
      : { messages: [], summary: '' };
    const isShared = await isSharedThread(deps.db, chatOwner(project, caller), threadId);
    const workingBranch = isShared ? false : body.working_branch;
    const { revision } = body;
    const earlierIds = conversation.messages.map(({ id }) => id);
    const earlier = await loadEarlierTexts(deps.db, project.id, earlierIds);
    const { content, status, commit, ownBranch, at, readings, ...run } = await answerChat(
      deps,
      {
        question: question.content,
        isFirst: parentId === null,
        useCode: body.use_code_context,
        history: conversation.messages,
        summary: conversation.summary,
        attachments: toPromptAttachments(files, earlier),
      },
      {
        project,
        files,
        userId: caller.userId,
        workingBranch,
        revision,
        isShared,
        signal,
        emit,
        onLogFailure,
      },
    );
    const freshness = {
      ...(await getIndexFreshness(deps, project, commit)),
      own_branch: ownBranch,
      ...(revision && { revision: { name: revision, commit: at } }),
    };
    const answered = {
      ...{ model: run.model, model_source: run.modelSource, steps: run.steps, context: run.context },
      input_tokens: run.usage?.input ?? null,
      output_tokens: run.usage?.output ?? null,
    };
    const exchange: Exchange = {
      question: 'id' in question ? { id: question.id } : question,
      parentId,
      answer: {
        ...{ content, status, freshness, readings, at: deps.now() },
        ...answered,
      },
    };
    const stored = await saveExchange(deps.db, chatOwner(project, caller), threadId, exchange);
    const newPath = { projectId: project.id, threadId: stored.thread_id, head: stored.id };
    // Runs in the background; without it the summary is extractive.
    if (body.use_chat_history) {
      updateSummary(deps, project, newPath, { userId: caller.userId, onLogFailure }).catch((error: unknown) =>
        request.log.warn({ err: error }, 'chat summary failed'),
      );
    }
    return { response: content, freshness, readings, ...answered, ...stored };
  };
  if (acceptsEventStream(request)) return createEventStream(request, reply, run);
  return await run(() => {}, abortOnDisconnect(reply));
}

/** Throws `conflict` unless the model that answers has seen an image in its test. */
async function requireImageModel(deps: Deps, caller: Caller, project: AccessibleProject): Promise<void> {
  const model = await selectModel(deps, { userId: caller.userId, projectId: project.id });
  if (model?.images) return;
  const key = model ? 'images_not_supported' : 'images_need_model';
  throw new AppError('conflict', key, { params: { model: model?.name ?? '' }, reason: key });
}

/** Message before a question: the head of the thread, unless the caller names another message of it. */
async function resolveParentId(
  deps: Deps,
  project: AccessibleProject,
  caller: Caller,
  { threadId, head }: Pick<MessagePath, 'threadId' | 'head'>,
  requestedId: string | null | undefined,
): Promise<string | null> {
  if (requestedId === undefined) return head;
  if (requestedId === null) return null;
  const message = await findMessage(deps.db, chatOwner(project, caller), requestedId);
  if (message.thread_id !== threadId) throw new AppError('not_found', 'message_not_found');
  return message.id;
}

/** Tip of the branch that contains a message. Throws `not_found` for a message of another thread. */
async function resolveBranchTip(
  deps: Deps,
  owner: ReturnType<typeof chatOwner>,
  thread: string,
  branch: string,
): Promise<string> {
  const message = await findMessage(deps.db, owner, branch);
  if (message.thread_id !== thread) throw new AppError('not_found', 'message_not_found');
  return await findBranchTip(deps.db, owner.projectId, message.id);
}

async function resolvePath(
  deps: Deps,
  caller: Caller,
  projectId: string,
  thread: string | undefined,
): Promise<MessagePath> {
  const project = await requireViewer(deps, caller, projectId);
  const { threadId, head } = await findReadableThread(deps.db, chatOwner(project, caller), thread);
  return { projectId: project.id, threadId, head };
}

async function requireViewer(deps: Deps, caller: Caller, id: string): Promise<AccessibleProject> {
  return await projectAccess(deps, caller, id, 'viewer');
}

function chatOwner(project: AccessibleProject, caller: Caller) {
  return { projectId: project.id, userId: caller.userId };
}
