import { setTimeout as sleep } from 'node:timers/promises';
import { formatMessage } from '#locales/format-message.ts';
import {
  isFormatUnsupported,
  isRetryable,
  isToolUseUnsupported,
  retryAfter,
  unwrapError,
} from './model-errors.ts';
import type { ModelSettings, ModelTool, Prompt, WriteOptions } from './port.ts';
import {
  type CompletionOptions,
  type CompletionPart,
  type LibraryMessage,
  streamCompletion,
  type ToolCallPart,
  toLibraryMessages,
} from './provider.ts';

const MAX_RETRIES = 2;
const MAX_RETRY_WAIT_S = 10;
/** Rounds with tool calls. */
const MAX_ROUNDS = 6;
/** Tool calls of one round; the model receives a note for those that were not run. */
const MAX_CALLS_PER_ROUND = 6;

/** Capabilities of a model, as observed in earlier calls. */
export interface ModelCapabilities {
  /** False once the model has rejected tools. */
  supportsTools: boolean;
  /** False once the model has rejected an output format. */
  supportsFormat: boolean;
}

/**
 * Streams an answer with tool calls, in rounds of one completion each. Tools and formats that the model rejects are omitted
 * from then on. Throws the errors of the provider's library.
 */
export async function* runToolLoop(
  settings: ModelSettings,
  prompt: Prompt,
  capabilities: ModelCapabilities,
  {
    tools = [],
    onStep,
    onUsage,
    ...options
  }: Omit<CompletionOptions, 'tools'> & Omit<WriteOptions, 'signal'>,
): AsyncGenerator<string, void, undefined> {
  const messages = toLibraryMessages(prompt);
  const total = { input: null as number | null, output: null as number | null };
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    let text = '';
    const calls: ToolCallPart[] = [];
    for await (const part of runRound(settings, messages, capabilities, { ...options, tools })) {
      if ('text' in part) {
        text += part.text;
        yield part.text;
      } else if ('call' in part) calls.push(part.call);
      else {
        total.input = add(total.input, part.usage.input);
        total.output = add(total.output, part.usage.output);
        const { input, output } = part.usage;
        onUsage?.({ ...total, context: input === null ? null : input + (output ?? 0) });
      }
    }
    if (calls.length === 0) return;
    if (text !== '' && !text.endsWith('\n')) yield '\n\n';
    const isLast = round === MAX_ROUNDS - 1;
    messages.push(...(await runTools(text, calls, { tools, onStep, isLast, signal: options.signal })));
  }
}

function add(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}

/** Streams one round with retries, without tools or a format that the model does not support. */
async function* runRound(
  settings: ModelSettings,
  messages: LibraryMessage[],
  capabilities: ModelCapabilities,
  options: CompletionOptions,
): AsyncGenerator<CompletionPart, void, undefined> {
  const tools = capabilities.supportsTools ? options.tools : [];
  const format = capabilities.supportsFormat ? options.format : undefined;
  try {
    yield* withRetries(settings, messages, { ...options, tools, format });
  } catch (error) {
    // A rejection precedes the first token, so no text is repeated.
    if (tools?.length && isToolUseUnsupported(unwrapError(error))) capabilities.supportsTools = false;
    else if (format && isFormatUnsupported(unwrapError(error))) capabilities.supportsFormat = false;
    else throw error;
    yield* runRound(settings, messages, capabilities, options);
  }
}

async function* withRetries(
  settings: ModelSettings,
  messages: LibraryMessage[],
  options: CompletionOptions,
): AsyncGenerator<CompletionPart, void, undefined> {
  for (let attempt = 0; ; attempt++) {
    let began = false;
    try {
      for await (const part of streamCompletion(settings, messages, options)) {
        began = true;
        yield part;
      }
      return;
    } catch (thrown) {
      const error = unwrapError(thrown);
      const wait = retryAfter(error) ?? 2 ** attempt * (0.25 + Math.random() / 4);
      if (began || attempt === MAX_RETRIES || !isRetryable(error) || wait > MAX_RETRY_WAIT_S) throw error;
      await sleep(wait * 1000, undefined, { signal: options.signal });
    }
  }
}

interface ToolRunOptions {
  tools: readonly ModelTool[];
  onStep: WriteOptions['onStep'];
  isLast: boolean;
  signal: AbortSignal;
}

/** Runs the model's tool calls and returns the next messages: its turn and the results. */
async function runTools(
  text: string,
  calls: ToolCallPart[],
  using: ToolRunOptions,
): Promise<LibraryMessage[]> {
  const results = await Promise.all(
    calls.map((call, index) =>
      index < MAX_CALLS_PER_ROUND ? runTool(call, using) : 'Not run: too many tool calls at once.',
    ),
  );
  const texts = text === '' ? [] : [{ type: 'text' as const, text }];
  const toolCalls = calls.map(({ id, name, input }) => {
    return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: parseArguments(input) ?? {} };
  });
  const answers = calls.map(({ id, name }, index) => {
    const value = using.isLast
      ? `${results[index]}\n\nNo more tool calls are possible: answer now.`
      : results[index]!;
    return {
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: name,
      output: { type: 'text' as const, value },
    };
  });
  return [
    { role: 'assistant', content: [...texts, ...toolCalls] },
    { role: 'tool', content: answers },
  ];
}

async function runTool(
  { name, input }: ToolCallPart,
  { tools, onStep, signal }: ToolRunOptions,
): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return formatMessage('en', 'errors.tool_not_found', { name: JSON.stringify(name) });
  const args = parseArguments(input);
  if (args === null) return 'The arguments are not a JSON object.';
  onStep?.(name, args);
  return await tool.run(args, signal);
}

function parseArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
