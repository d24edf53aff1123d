import { z } from 'zod';
import { id, indexFreshness, MAX_PAGE, paging, timestamp } from './common.ts';
import { route } from './route.ts';

/** Siblings that are listed at one message. */
export const MAX_SIBLINGS = 200;

/** Other questions that are offered beside an answer. */
export const MAX_OFFERED_READINGS = 5;

/** Another reading of a question: its label, and the question that asks for it. */
const offeredReading = z.object({ text: z.string().max(400), question: z.string().max(4_000) });
export type OfferedReading = z.infer<typeof offeredReading>;

const offeredReadings = z.array(offeredReading).max(MAX_OFFERED_READINGS);

const chatMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  /** Markdown. Citations are `path:line-line @ commit` and commits; those that do not resolve are struck out. */
  content: z.string(),
  /** `stopped`: the user stopped the answer, or disconnected before its end. */
  status: z.enum(['done', 'stopped']),
  created_at: timestamp,
  /** The message that it follows; null for the first. */
  parent_id: z.string().nullable().optional(),
  /** Messages with the same parent, this one included, oldest first; absent without others. */
  siblings: z.array(z.string()).max(MAX_SIBLINGS).optional(),
  /** The model that generated it, and its token usage. */
  model: z.string().nullable().optional(),
  input_tokens: z.number().nullable().optional(),
  output_tokens: z.number().nullable().optional(),
  /** Commit that the answer is based on. */
  freshness: indexFreshness.nullable().optional(),
  /** Other readings of the question; absent where none is offered. */
  readings: offeredReadings.nullable().optional(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

const chatSummary = z.object({
  id: z.string(),
  /** Times of the first and the last summarized message. */
  from: timestamp,
  to: timestamp,
  content: z.string(),
  created_at: timestamp,
  /** The model that wrote it; null where none did. */
  model: z.string().nullable(),
});
export type ChatSummary = z.infer<typeof chatSummary>;

const chatThread = z.object({
  id: z.string(),
  title: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  message_count: z.number(),
  /** Members of the project may read it. */
  shared: z.boolean(),
  /** The debug session that it follows up; null for any other. */
  session_id: z.string().nullable(),
  /** Username of the owner; null for the caller's own thread. */
  owner: z.string().nullable(),
  /** Text around the match; null without a search. */
  excerpt: z.string().nullable(),
});
export type ChatThread = z.infer<typeof chatThread>;

const sendChatBody = z.object({
  message: z.string().trim().min(1, 'message_empty').max(20_000),
  /** Clients of the specification repeat the project here; the one in the path counts. */
  project_id: z.string().max(64).nullish(),
  use_chat_history: z.boolean().default(true),
  use_code_context: z.boolean().default(true),
  /** One of the caller's threads; the newest, or a first one, when absent. */
  thread_id: id.optional(),
  /** The message to go on from: another than the last begins a branch. Null: from the start. */
  parent_id: id.nullish(),
});

/** Options for answering a question again. */
const regenerateBody = z.object({
  use_chat_history: z.boolean().default(true),
  use_code_context: z.boolean().default(true),
});

const params = z.object({ id });
const threadParams = z.object({ id, thread: id });
const thread = z.object({ thread: id.optional() });

/**
 * Server-sent events of a request with `Accept: text/event-stream`: progress steps, pieces of text, then the whole reply
 * as `done`, or `error` in the shape of every error.
 */
export type ChatEvents = {
  /** `tool_call`: the model calls a tool; `query` is the beginning of its input. */
  step: { step: 'retrieving' | 'generating' } | { step: 'tool_call'; tool: string; query: string };
  text: { text: string };
};

const chatReply = z.object({
  response: z.string(),
  id: z.string(),
  user_message_id: z.string(),
  thread_id: z.string(),
  freshness: indexFreshness,
  /** Other readings of the question, best first; empty with a model. */
  readings: offeredReadings,
});

/** An item that `@` attaches to a question; `text` is inserted into the message. */
const chatMention = z.object({
  kind: z.enum(['file', 'symbol', 'commit', 'error']),
  text: z.string(),
  label: z.string(),
});
export type ChatMention = z.infer<typeof chatMention>;

export const chatRoutes = {
  messages: route({
    method: 'GET',
    path: '/chat/projects/:id/messages',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "List the caller's messages; `skip` counts from the newest, each page is in ascending order",
    params,
    query: paging.extend(thread.shape),
    reply: z.object({ messages: z.array(chatMessage).max(MAX_PAGE), has_more: z.boolean() }),
  }),
  send: route({
    method: 'POST',
    path: '/chat/projects/:id/messages',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Send a message and get an answer; streams with `Accept: text/event-stream`',
    params,
    body: sendChatBody,
    reply: chatReply,
  }),
  regenerate: route({
    method: 'POST',
    path: '/chat/projects/:id/messages/:message/regenerate',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Regenerate an answer as another branch; streams with `Accept: text/event-stream`',
    params: z.object({ id, message: id }),
    body: regenerateBody,
    reply: chatReply,
  }),
  clear: route({
    method: 'DELETE',
    path: '/chat/projects/:id/messages',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: "Delete all of the caller's messages in the project",
    params,
    reply: z.object({ ok: z.literal(true) }),
  }),
  summaries: route({
    method: 'GET',
    path: '/chat/projects/:id/summaries',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "List summaries of older messages in the caller's chat",
    params,
    query: thread,
    reply: z.object({ summaries: z.array(chatSummary).max(MAX_PAGE) }),
  }),
  threads: route({
    method: 'GET',
    path: '/chat/projects/:id/threads',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "List the caller's threads and those shared with members, most recently used first",
    params,
    query: z.object({ q: z.string().trim().max(200).optional() }),
    reply: z.object({ threads: z.array(chatThread).max(MAX_PAGE) }),
  }),
  createThread: route({
    method: 'POST',
    path: '/chat/projects/:id/threads',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Create a thread',
    params,
    reply: z.object({ id: z.string() }),
    status: 201,
  }),
  updateThread: route({
    method: 'PUT',
    path: '/chat/projects/:id/threads/:thread',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Update a thread: title, sharing with project members, displayed branch',
    params: threadParams,
    body: z.object({
      title: z.string().trim().min(1, 'title_empty').max(120).optional(),
      shared: z.boolean().optional(),
      /** A message: shows its branch, down to the newest message of it. */
      head: id.optional(),
    }),
    reply: z.object({ ok: z.literal(true) }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/chat/projects/:id/threads/:thread',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete a thread',
    params: threadParams,
    reply: z.object({ ok: z.literal(true) }),
  }),
  export: route({
    method: 'GET',
    path: '/chat/projects/:id/threads/:thread/export',
    apiKey: 'read',
    projectFrom: 'path',
    kind: 'file',
    summary: 'Export a thread as a Markdown file',
    params: threadParams,
    reply: z.any(),
  }),
  mentions: route({
    method: 'GET',
    path: '/chat/projects/:id/mentions',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Suggest files, symbols, commits and errors to mention in a question',
    params,
    query: z.object({ q: z.string().trim().max(200).default('') }),
    reply: z.object({ mentions: z.array(chatMention).max(MAX_PAGE) }),
  }),
};
