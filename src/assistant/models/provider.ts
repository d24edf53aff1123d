import type { AnthropicProvider } from '@ai-sdk/anthropic';
import { fetchFrom } from '#egress/fetch-from.ts';
import type { ModelSettings, Prompt } from './port.ts';

/** What every provider's library hands out. */
type LibraryModel = ReturnType<AnthropicProvider['chat']>;
type LibraryMessage = Parameters<LibraryModel['doStream']>[0]['prompt'][number];

/** Above the reply of any model that keeps to `MAX_OUTPUT`. */
const MAX_REPLY_BYTES = 4 * 2 ** 20;
/** In the model's own units: some 1,500 words, far more than an answer should have. */
const MAX_OUTPUT = 2_000;

/** Limits of time for one attempt, in milliseconds. */
export interface Patience {
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
  /** Over all attempts. */
  totalMs: number;
}

/** Below the 60 s after which proxies commonly give up. */
export const PATIENCE: Patience = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 15_000, totalMs: 55_000 };

/** One attempt at an answer, as the provider's library makes it: its errors are those of the library. */
export async function* ask(
  settings: ModelSettings,
  prompt: Prompt,
  { patience, signal }: { patience: Patience; signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  const model = await load(settings, patience);
  const { stream } = await model.doStream({
    prompt: messages(prompt),
    maxOutputTokens: MAX_OUTPUT,
    abortSignal: signal,
  });
  let finished = false;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta' && part.delta !== '') yield part.delta;
    if (part.type === 'finish') finished = part.finishReason.unified !== 'error';
  }
  if (!finished) throw new CutShort();
}

/** The stream ended without saying that the answer is whole. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}

/** The libraries are loaded with the first question, since most servers never need both. */
async function load(settings: ModelSettings, patience: Patience): Promise<LibraryModel> {
  const { provider, name, baseUrl: baseURL, apiKey } = settings;
  const limits = { ...patience, maxBytes: MAX_REPLY_BYTES };
  const common = { baseURL, name: provider, fetch: fetchFrom(new URL(baseURL).origin, limits) };
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ ...common, apiKey: apiKey ?? '' }).chat(name);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ ...common, ...(apiKey !== null && { apiKey }) }).chatModel(name);
}

function messages({ system, turns }: Prompt): LibraryMessage[] {
  return [
    { role: 'system', content: system },
    ...turns.map(
      ({ role, content }): LibraryMessage => ({ role, content: [{ type: 'text', text: content }] }),
    ),
  ];
}
