import type { ModelSource } from '#contract/own-models.ts';
import type { Egress } from '#egress/proxy.ts';

/** Settings of a language model. */
export interface ModelSettings {
  provider: 'anthropic' | 'openai' | 'google' | 'ollama' | 'openai-compatible';
  /** Name of the model at the provider. */
  name: string;
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  /** Reaches the provider at checked addresses only; absent for a model that the operator has set. */
  egress?: Egress;
}

/** An image of a question. */
export interface TurnImage {
  mediaType: string;
  /** Base64. */
  data: string;
}

/** One turn of a conversation. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
  /** Images of the last turn. */
  images?: TurnImage[];
}

/** System prompt and conversation, which ends with the question. */
export interface Prompt {
  system: string;
  turns: Turn[];
}

/** A tool that the model may call. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the input. */
  schema: Record<string, unknown>;
  /** Reports the model's mistakes as text; never rejects for them. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

/** JSON output format. */
export interface ModelFormat {
  name: string;
  /** JSON Schema in which every field is required. */
  schema: Record<string, unknown>;
}

/** Tokens of an answer; null when the provider does not report them. */
export interface Usage {
  input: number | null;
  output: number | null;
  /** Tokens of the last call alone, prompt and reply: the context in use. Null or absent when not reported. */
  context?: number | null;
}

export interface WriteOptions {
  signal?: AbortSignal;
  /** Tools that the model may call; omitted for a model that does not support them. */
  tools?: ModelTool[];
  /** Output format; omitted for a model that does not support it, whose text may be anything. */
  format?: ModelFormat;
  /** Called before each tool call. */
  onStep?(name: string, input: unknown): void;
  /** Called with the usage so far, all calls together. */
  onUsage?(usage: Usage): void;
  /** Called for every outbound call, failed ones included. */
  onCall?(call: OutboundCall): void;
}

/** Record of an outbound call. */
export interface OutboundCall {
  host: string;
  sent: number;
  received: number;
  /** HTTP status; null without a reply. */
  status: number | null;
  ms: number;
}

/** Origin of a model, and what a test has found out. */
interface ModelTraits {
  source: ModelSource;
  /** Tokens; null when unknown. */
  contextWindow: number | null;
}

/** Language model of any provider. */
export interface Model {
  /** Configured name. */
  readonly name: string;
  /** Origin and known capabilities; absent where no one asks. */
  readonly traits?: ModelTraits;
  /**
   * Streams the next turn. Throws AppError `unavailable`, `rate_limited`, or `unavailable` with reason `stopped` after an
   * abort.
   */
  write(prompt: Prompt, options?: WriteOptions): AsyncIterable<string>;
}
