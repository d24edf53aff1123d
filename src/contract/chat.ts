import { z } from 'zod';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from './attachment-limits.ts';
import { id, indexFreshness, MAX_PAGE, paging, revision, timestamp, workingBranchField } from './common.ts';
import { modelSource } from './own-models.ts';
import { route } from './route.ts';

/** Siblings that are listed at one message. */
export const MAX_SIBLINGS = 200;

/** Other questions that are offered beside an answer. */
export const MAX_OFFERED_READINGS = 5;

/** Another reading of a question: its label, and the question that asks for it. */
const offeredReading = z.object({ text: z.string().max(400), question: z.string().max(4_000) });
export type OfferedReading = z.infer<typeof offeredReading>;

const offeredReadings = z.array(offeredReading).max(MAX_OFFERED_READINGS);

/** A file of a question, by its content: a log with an error, another text, or an image. */
const attachment = z.object({
  id: z.string(),
  kind: z.enum(['log', 'file', 'image']),
  name: z.string().max(200),
  media_type: z.string().max(100),
  /** Bytes. */
  size: z.number(),
  /** Pixels; null for text. */
  width: z.number().nullable(),
  height: z.number().nullable(),
});
export type Attachment = z.infer<typeof attachment>;

const attachments = z.array(attachment).max(MAX_ATTACHMENTS);

/** Steps that are kept with an answer. */
export const MAX_STEPS = 60;

/** A search or a tool call that an answer is based on. */
const answerStep = z.object({
  /** Name of the tool; `search_index` for the first search, `read_log` for an attached log. */
  tool: z.string().max(64),
  /** Beginning of its input. */
  query: z.string().max(200),
  /** Places and commits that it returned; null when it failed. */
  results: z.number().nullable(),
  ms: z.number(),
});
export type AnswerStep = z.infer<typeof answerStep>;

const answerSteps = z.array(answerStep).max(MAX_STEPS);

/** Tokens of the model's context that an answer took. */
const contextUse = z.object({
  tokens: z.number(),
  /** True where the provider reports no counts and characters were counted instead. */
  is_estimate: z.boolean(),
  /** Size of the context; null when unknown. */
  window: z.number().nullable(),
  /** Shares of `tokens`, by characters. The rest is instructions and tools. */
  parts: z.object({ conversation: z.number(), evidence: z.number(), attachments: z.number() }),
});
export type ContextUse = z.infer<typeof contextUse>;

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
  model_source: modelSource.nullable().optional(),
  /** Searches and tool calls of an answer, in order. */
  steps: answerSteps.nullable().optional(),
  /** Null without a model. */
  context: contextUse.nullable().optional(),
  /** Files of a question; absent without any. */
  attachments: attachments.optional(),
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
  working_branch: workingBranchField,
  /** Answers at this commit, tag, branch or date instead of the indexed commit. */
  revision: revision.nullish(),
  /** One of the caller's threads; the newest, or a first one, when absent. */
  thread_id: id.optional(),
  /** The message to go on from: another than the last begins a branch. Null: from the start. */
  parent_id: id.nullish(),
  /** Uploaded files of the caller. */
  attachments: z.array(id).max(MAX_ATTACHMENTS).default([]),
});

/** Options for answering a question again. */
const regenerateBody = z.object({
  use_chat_history: z.boolean().default(true),
  use_code_context: z.boolean().default(true),
  working_branch: workingBranchField,
  revision: revision.nullish(),
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
  /** The model that generated it; null for an answer without one. */
  model: z.string().nullable(),
  model_source: modelSource.nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  steps: answerSteps,
  context: contextUse.nullable(),
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
  message: route({
    method: 'GET',
    path: '/chat/projects/:id/messages/:message',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Get a message of the caller's chats, also one that its thread does not show",
    params: z.object({ id, message: id }),
    reply: chatMessage,
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
  upload: route({
    method: 'POST',
    path: '/chat/projects/:id/attachments',
    apiKey: 'read',
    projectFrom: 'path',
    rateLimits: [{ bucket: 'attachments', limit: 'attachmentsPerUser', per: 'user' }],
    // Base64 takes a third more.
    bodyLimit: Math.ceil(MAX_ATTACHMENT_BYTES * 1.4),
    summary: 'Upload a log, a text file or an image for a question; secrets in texts are redacted',
    description:
      'The kind follows from the content. Files that no question refers to are deleted after a day.',
    params,
    body: z.object({
      name: z.string().trim().min(1).max(200),
      /** Base64. */
      data: z
        .base64('attachment_not_base64')
        .max(Math.ceil(MAX_ATTACHMENT_BYTES * 1.35), 'attachment_too_large'),
    }),
    reply: attachment,
    status: 201,
  }),
  attachment: route({
    method: 'GET',
    path: '/chat/projects/:id/attachments/:attachment',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Get a file of one's own question or of a shared chat",
    params: z.object({ id, attachment: id }),
    reply: attachment.extend({
      /** Text with secrets redacted; null for an image. */
      text: z.string().nullable(),
      /** Base64 of an image; null for a text. */
      data: z.string().nullable(),
    }),
  }),
  removeAttachment: route({
    method: 'DELETE',
    path: '/chat/projects/:id/attachments/:attachment',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete a file that was not sent yet',
    params: z.object({ id, attachment: id }),
    reply: z.object({ ok: z.literal(true) }),
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
