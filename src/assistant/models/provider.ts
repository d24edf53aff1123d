import type { AnthropicProvider } from '@ai-sdk/anthropic';
import { observeFetch } from '#egress/observe-fetch.ts';
import { createOriginFetch } from '#egress/origin-fetch.ts';
import type {
  ModelFormat,
  ModelSettings,
  ModelTool,
  OutboundCall,
  Prompt,
  TurnImage,
  Usage,
} from './port.ts';

/** Model type that the providers' libraries share. */
type LibraryModel = ReturnType<AnthropicProvider['chat']>;
type CallOptions = Parameters<LibraryModel['doStream']>[0];
/** Message type of the libraries. */
export type LibraryMessage = CallOptions['prompt'][number];

/** Above any reply within `MAX_OUTPUT_TOKENS`. */
const MAX_REPLY_BYTES = 4 * 2 ** 20;
/** Some 1,500 words, far more than an answer should have. */
const MAX_OUTPUT_TOKENS = 2_000;
/** A formatted answer may contain a patch. */
const MAX_FORMATTED_TOKENS = 4_000;

/** Timeouts of one attempt, in milliseconds. */
export interface Timeouts {
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
  /** For all attempts of one call together. */
  totalMs: number;
}

/** Below the 60 s after which proxies commonly give up. */
export const TIMEOUTS: Timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 15_000, totalMs: 55_000 };

/** Part of a streamed completion: text, a tool call, or the usage. */
export type CompletionPart = { text: string } | { call: ToolCallPart } | { usage: Usage };

/** Tool call of a model; `input` is its text, JSON when the model follows the protocol. */
export interface ToolCallPart {
  id: string;
  name: string;
  input: string;
}

export interface CompletionOptions {
  timeouts: Timeouts;
  signal: AbortSignal;
  tools?: readonly ModelTool[];
  format?: ModelFormat | undefined;
  /** Called for every HTTP call, failed ones included. */
  onCall?: ((call: OutboundCall) => void) | undefined;
  /** Further options of the call, for probes. */
  expect?: Pick<CallOptions, 'toolChoice' | 'responseFormat' | 'maxOutputTokens'>;
}

/** Streams one attempt at a turn with the provider's library; throws the library's errors. */
export async function* streamCompletion(
  settings: ModelSettings,
  prompt: LibraryMessage[],
  { timeouts, signal, tools = [], format, onCall, expect }: CompletionOptions,
): AsyncGenerator<CompletionPart, void, undefined> {
  const model = await loadModel(settings, timeouts, onCall);
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

/** The stream ended without a finish part. */
class TruncatedStreamError extends Error {
  override readonly name = 'CutShort';
}

/** Loads the provider's library on first use, since most servers need only one. */
async function loadModel(
  settings: ModelSettings,
  timeouts: Timeouts,
  onCall: CompletionOptions['onCall'],
): Promise<LibraryModel> {
  const { provider, name, baseUrl: baseURL, apiKey, egress } = settings;
  const limits = { ...timeouts, maxBytes: MAX_REPLY_BYTES };
  const fetch = observeFetch(createOriginFetch(new URL(baseURL).origin, limits, egress), onCall);
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

/** Converts a prompt to the libraries' messages. */
export function toLibraryMessages({ system, turns }: Prompt): LibraryMessage[] {
  return [
    { role: 'system', content: system },
    ...turns.map(
      ({ role, content, images = [] }): LibraryMessage =>
        role === 'assistant'
          ? { role, content: [{ type: 'text', text: content }] }
          : { role, content: [...images.map(toFilePart), { type: 'text', text: content }] },
    ),
  ];
}

function toFilePart({ mediaType, data }: TurnImage) {
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data } };
}
