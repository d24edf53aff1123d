import { z } from 'zod';
import { id, paging, timestamp } from './common.ts';
import { route } from './route.ts';

export const chatMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  /** Markdown. Citations are `path:line-line @ commit` and commits; those that do not resolve are struck out. */
  content: z.string(),
  /** `stopped`: the reader stopped the answer, or left before it was whole. */
  status: z.enum(['done', 'stopped']),
  created_at: timestamp,
});
export type ChatMessage = z.infer<typeof chatMessage>;

export const chatSummary = z.object({
  id: z.string(),
  /** Times of the first and the last message that it stands for. */
  from: timestamp,
  to: timestamp,
  content: z.string(),
  created_at: timestamp,
});
export type ChatSummary = z.infer<typeof chatSummary>;

export const sendChatBody = z.object({
  message: z.string().trim().min(1, 'Write a message').max(20_000, 'Use at most 20,000 characters'),
  /** Clients of the specification repeat the project here; the one in the address counts. */
  project_id: z.string().max(64).nullish(),
  use_chat_history: z.boolean().default(true),
  use_code_context: z.boolean().default(true),
});

const params = z.object({ id });

/**
 * What an answer that is asked for with `Accept: text/event-stream` sends, each as an event of that name: what is
 * being done, pieces of text, then the whole reply as `done`, or `error` in the shape of every error.
 */
export type ChatEvents = {
  step: { step: 'reading' | 'writing' };
  text: { text: string };
};

export const chatRoutes = {
  messages: route({
    method: 'GET',
    path: '/chat/projects/:id/messages',
    summary: "A page of the caller's chat; `skip` counts from the newest, each page is in ascending order",
    params,
    query: paging,
    reply: z.object({ messages: z.array(chatMessage), has_more: z.boolean() }),
  }),
  send: route({
    method: 'POST',
    path: '/chat/projects/:id/messages',
    summary: 'Ask about the project; streams as server-sent events when asked to',
    params,
    body: sendChatBody,
    reply: z.object({
      response: z.string(),
      id: z.string(),
      user_message_id: z.string(),
    }),
  }),
  clear: route({
    method: 'DELETE',
    path: '/chat/projects/:id/messages',
    summary: "Delete all of the caller's messages in the project",
    params,
    reply: z.object({ ok: z.literal(true) }),
  }),
  summaries: route({
    method: 'GET',
    path: '/chat/projects/:id/summaries',
    summary: "What the older parts of the caller's chat were about",
    params,
    reply: z.object({ summaries: z.array(chatSummary) }),
  }),
};
