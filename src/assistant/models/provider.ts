import type { AnthropicProvider } from '@ai-sdk/anthropic';
import { createOriginFetch } from '#egress/origin-fetch.ts';
import { observeFetch } from '#egress/observe-fetch.ts';
import type { ModelFormat, ModelSettings, ModelTool, OutboundCall, Prompt, Usage } from './port.ts';

/** What every provider's library hands out. */
export type LibraryModel = ReturnType<AnthropicProvider['chat']>;
type CallOptions = Parameters<LibraryModel['doStream']>[0];
/** A message as the libraries take it. */
export type LibraryMessage = CallOptions['prompt'][number];

/** Above the reply of any model that keeps to `MAX_OUTPUT`. */
const MAX_REPLY_BYTES = 4 * 2 ** 20;
/** In the model's own units: some 1,500 words, far more than an answer should have. */
const MAX_OUTPUT_TOKENS = 2_000;
/** An answer of fields may hold a patch. */
const MAX_FORMATTED_TOKENS = 4_000;

/** Limits of time for one attempt, in milliseconds. */
export interface Timeouts {
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
  /** Over all attempts at one call. */
  totalMs: number;
}

/** Below the 60 s after which proxies commonly give up. */
export const TIMEOUTS: Timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 15_000, totalMs: 55_000 };

/** What comes back of one call: pieces of text, the use of a tool, what it took. */
export type CompletionPart = { text: string } | { call: ToolUse } | { usage: Usage };

/** A model that wants to use a tool; `input` is what it wrote, JSON if it kept to the protocol. */
export interface ToolUse {
  id: string;
  name: string;
  input: string;
}

export interface CompletionOptions {
  patience: Timeouts;
  signal: AbortSignal;
  tools?: readonly ModelTool[];
  format?: ModelFormat | undefined;
  /** Called for every HTTP call, also those that fail. */
  onCall?: ((call: OutboundCall) => void) | undefined;
  /** What the reply must be; used to find out what a model can do. */
  expect?: Pick<CallOptions, 'toolChoice' | 'responseFormat' | 'maxOutputTokens'>;
}

/** One attempt at a turn, as the provider's library makes it: its errors are those of the library. */
export async function* streamCompletion(
  settings: ModelSettings,
  prompt: LibraryMessage[],
  { patience, signal, tools = [], format, onCall, expect }: CompletionOptions,
): AsyncGenerator<CompletionPart, void, undefined> {
  const model = await loadModel(settings, patience, onCall);
  const { stream } = await model.doStream({
    prompt,
    maxOutputTokens: format ? MAX_FORMATTED_TOKENS : MAX_OUTPUT_TOKENS,
    abortSignal: signal,
    ...(tools.length > 0 && { tools: tools.map(toLibraryTool) }),
    ...(format && { responseFormat: { type: 'json', ...format } }),
    ...expect,
  });
  let finished = false;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta' && part.delta !== '') yield { text: part.delta };
    if (part.type === 'tool-call') {
      yield { call: { id: part.toolCallId, name: part.toolName, input: part.input } };
    }
    if (part.type === 'finish') {
      finished = part.finishReason.unified !== 'error';
      const { inputTokens, outputTokens } = part.usage;
      yield { usage: { input: inputTokens.total ?? null, output: outputTokens.total ?? null } };
    }
  }
  if (!finished) throw new TruncatedStreamError();
}

/** The stream ended without saying that the answer is whole. */
export class TruncatedStreamError extends Error {
  override readonly name = 'CutShort';
}

/** The libraries are loaded with the first question, since most servers never need all of them. */
async function loadModel(
  settings: ModelSettings,
  patience: Timeouts,
  onCall: CompletionOptions['onCall'],
): Promise<LibraryModel> {
  const { provider, name, baseUrl: baseURL, apiKey } = settings;
  const limits = { ...patience, maxBytes: MAX_REPLY_BYTES };
  const fetch = observeFetch(createOriginFetch(new URL(baseURL).origin, limits), onCall);
  const common = { baseURL, name: provider, fetch };
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ ...common, apiKey: apiKey ?? '' }).chat(name);
  }
  if (provider === 'google') {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ ...common, apiKey: apiKey ?? '' }).chat(name);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const options = { ...common, includeUsage: true, supportsStructuredOutputs: true };
  return createOpenAICompatible({ ...options, ...(apiKey !== null && { apiKey }) }).chatModel(name);
}

function toLibraryTool({ name, description, schema: inputSchema }: ModelTool) {
  return { type: 'function' as const, name, description, inputSchema };
}

/** A conversation as the libraries take it. */
export function toLibraryMessages({ system, turns }: Prompt): LibraryMessage[] {
  return [
    { role: 'system', content: system },
    ...turns.map(
      ({ role, content }): LibraryMessage => ({ role, content: [{ type: 'text', text: content }] }),
    ),
  ];
}
