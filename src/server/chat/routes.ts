import type { FastifyInstance } from 'fastify';
import { openModel } from '#assistant/models/open-model.ts';
import { chatRoutes } from '#contract/chat.ts';
import { type ProjectRow, projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { type Call, serve, untilClosed } from '../http.ts';
import { spend } from '../limits.ts';
import { eventStream, wantsEvents } from '../sse.ts';
import { clearChat, listMessages, listSummaries, recall, storeExchange } from './queries.ts';
import { answerChat, type Progress } from './reply.ts';

/** On a server for strangers, whose model costs its operator money. */
const PER_MINUTE = { max: 20, seconds: 60 };
const PER_DAY = { max: 300, seconds: 86_400 };

/** Serves the feature `chat`. Chats are private to their user; every member of a project may chat. */
export function registerChat(app: FastifyInstance, deps: Deps): void {
  const model = deps.config.model && openModel(deps.config.model);

  const send = async (
    project: ProjectRow,
    { caller, body }: Call<typeof chatRoutes.send>,
    { signal, progress }: { signal: AbortSignal; progress: Progress },
  ) => {
    const owner = { projectId: project.id, userId: caller.userId };
    const askedAt = deps.now();
    const past = body.use_chat_history ? await recall(deps.db, owner) : { messages: [], summary: '' };
    const { content, status } = await answerChat(
      {
        project,
        question: body.message,
        useCode: body.use_code_context,
        history: past.messages,
        summary: past.summary,
      },
      { deps, model, signal, progress },
    );
    const exchange = { question: body.message, askedAt, answer: content, answeredAt: deps.now(), status };
    return { response: content, ...(await storeExchange(deps.db, owner, exchange)) };
  };

  serve(app, chatRoutes.send, async (call) => {
    const { caller, params, request, reply } = call;
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    if (deps.config.publicInstance) {
      await spend(deps, `chat:minute:${caller.userId}`, PER_MINUTE);
      await spend(deps, `chat:day:${caller.userId}`, PER_DAY);
    }
    if (wantsEvents(request)) {
      return eventStream(request, reply, (progress, signal) => send(project, call, { signal, progress }));
    }
    return await send(project, call, { signal: untilClosed(reply), progress: () => {} });
  });

  serve(app, chatRoutes.messages, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return await listMessages(deps.db, { projectId: project.id, userId: caller.userId }, query);
  });

  serve(app, chatRoutes.clear, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    await clearChat(deps.db, { projectId: project.id, userId: caller.userId });
    return { ok: true as const };
  });

  serve(app, chatRoutes.summaries, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return { summaries: await listSummaries(deps.db, { projectId: project.id, userId: caller.userId }) };
  });
}
