import type { AppError } from '#contract/errors.ts';
import { observeFetch } from '#egress/observe-fetch.ts';
import { createOriginFetch } from '#egress/origin-fetch.ts';
import { providerMessage, toModelError, unwrapError } from './model-errors.ts';
import type { ModelSettings, ModelTool, OutboundCall, TurnImage } from './port.ts';
import {
  type CompletionOptions,
  type CompletionPart,
  streamCompletion,
  TIMEOUTS,
  type Timeouts,
  toLibraryMessages,
} from './provider.ts';

/** Capabilities that a probe of a model found. */
export interface ProbeResult {
  /** It streams a reply. */
  streaming: boolean;
  tools: boolean;
  /** It follows a JSON schema. */
  structured_output: boolean;
  /** It names the color of an image. */
  images: boolean;
  /** Context length in tokens; null when the provider does not report it. */
  context_window: number | null;
  /** Time to the first token. */
  first_token_ms: number | null;
  /** Reason for a missing reply; null when it replies. */
  error: AppError | null;
  /** Beginning of the reply to the first prompt. */
  reply: string | null;
  /** The provider's own words about the error. */
  provider_message: string | null;
}

const PROBE_PROMPT = 'Reply with the one word: ready';
const MAX_REPLY_LENGTH = 200;
const MAX_LIST_BYTES = 8 * 2 ** 20;
/** Field names under which providers report the context length. */
const CONTEXT_FIELDS = [
  'context_length',
  'max_model_len',
  'context_window',
  'max_context_length',
  'max_input_tokens',
  'inputTokenLimit',
];

/** Probes a model with four small prompts and its provider's model list. Never rejects. */
export async function probeModel(
  settings: ModelSettings,
  onCall: (call: OutboundCall) => void,
  timeouts: Timeouts = TIMEOUTS,
): Promise<ProbeResult> {
  const nothing = {
    ...{ streaming: false, tools: false, structured_output: false, images: false },
    ...{ context_window: null, first_token_ms: null, reply: null },
  };
  const started = performance.now();
  let first: number | null = null;
  let reply = '';
  try {
    const parts = await collectParts(settings, PROBE_PROMPT, { timeouts, onCall }, () => {
      first ??= Math.round(performance.now() - started);
    });
    reply = textOf(parts).trim();
    if (reply === '') throw new Error('It said nothing.');
  } catch (error) {
    const failure = toModelError(unwrapError(error));
    return { ...nothing, error: failure, provider_message: providerMessage(error, settings.apiKey) };
  }
  const [tools, structured, images, context] = await Promise.all([
    supportsTools(settings, { timeouts, onCall }),
    supportsSchema(settings, { timeouts, onCall }),
    supportsImages(settings, { timeouts, onCall }),
    readContextLength(settings, { timeouts, onCall }),
  ]);
  return {
    streaming: true,
    tools,
    structured_output: structured,
    images,
    context_window: context,
    first_token_ms: first,
    reply: reply.slice(0, MAX_REPLY_LENGTH),
    error: null,
    provider_message: null,
  };
}

function textOf(parts: CompletionPart[]): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

type ProbeOptions = Pick<CompletionOptions, 'timeouts' | 'onCall' | 'tools' | 'expect'> & {
  images?: TurnImage[];
};

async function collectParts(
  settings: ModelSettings,
  text: string,
  { images, ...options }: ProbeOptions,
  onPart = () => {},
): Promise<CompletionPart[]> {
  const prompt = toLibraryMessages({
    system: 'You are being tested.',
    turns: [{ role: 'user', content: text, ...(images && { images }) }],
  });
  const parts: CompletionPart[] = [];
  const signal = AbortSignal.timeout(options.timeouts.totalMs);
  for await (const part of streamCompletion(settings, prompt, { ...options, signal })) {
    onPart();
    parts.push(part);
  }
  return parts;
}

const PROBE_TOOL: ModelTool = {
  name: 'report_ready',
  description: 'Reports that you are ready.',
  schema: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
  run: async () => '',
};

async function supportsTools(settings: ModelSettings, options: ProbeOptions): Promise<boolean> {
  const parts = await collectParts(settings, 'Call the tool report_ready.', {
    ...options,
    tools: [PROBE_TOOL],
  }).catch(() => []);
  return parts.some((part) => 'call' in part && part.call.name === PROBE_TOOL.name);
}

async function supportsSchema(settings: ModelSettings, options: ProbeOptions): Promise<boolean> {
  const schema = {
    type: 'object' as const,
    properties: { ready: { type: 'boolean' as const } },
    required: ['ready'],
  };
  const expect = { responseFormat: { type: 'json' as const, name: 'state', schema } };
  const parts = await collectParts(settings, 'Reply with JSON: {"ready": true}', {
    ...options,
    expect,
  }).catch(() => []);
  const text = textOf(parts);
  try {
    return typeof JSON.parse(text).ready === 'boolean';
  } catch {
    // Some providers implement formats as a tool call whose input is the reply.
    return parts.some((part) => 'call' in part && part.call.input.includes('"ready"'));
  }
}

/** A red square of 32 × 32 pixels. */
export const RED_SQUARE: TurnImage = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC',
};

/** True when the model sees the color of an image; some accept images and ignore them. */
async function supportsImages(settings: ModelSettings, options: ProbeOptions): Promise<boolean> {
  const question = 'Which color is this image? Reply with the one word.';
  const parts = await collectParts(settings, question, { ...options, images: [RED_SQUARE] }).catch(() => []);
  return /\bred\b/i.test(textOf(parts));
}

/** Context length from the provider's model list. */
async function readContextLength(
  { provider, name, baseUrl, apiKey, egress }: ModelSettings,
  { timeouts, onCall }: ProbeOptions,
) {
  const call = observeFetch(
    createOriginFetch(new URL(baseUrl).origin, { ...timeouts, maxBytes: MAX_LIST_BYTES }, egress),
    onCall,
  );
  const key: Record<string, string> =
    apiKey === null
      ? {}
      : provider === 'anthropic'
        ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
        : provider === 'google'
          ? { 'x-goog-api-key': apiKey }
          : { authorization: `Bearer ${apiKey}` };
  try {
    const reply = await call(`${baseUrl}/models`, { method: 'GET', headers: key });
    const { data, models } = (await reply.json()) as { data?: object[]; models?: object[] };
    const own = [...(data ?? []), ...(models ?? [])].find((entry) =>
      Object.values(entry).some((value) => value === name || value === `models/${name}`),
    ) as Record<string, unknown> | undefined;
    const contextLength = CONTEXT_FIELDS.map((field) => own?.[field]).find((value) =>
      Number.isInteger(value),
    );
    return (contextLength as number | undefined) ?? null;
  } catch {
    return null;
  }
}
