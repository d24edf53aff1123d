/** Which model, where it answers, and with which key. */
export interface ModelSettings {
  provider: 'anthropic' | 'openai' | 'google' | 'ollama' | 'openai-compatible';
  /** The provider's name of the model. */
  name: string;
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string | null;
}

/** One turn of a conversation. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** What a model is asked: who it is and what it must keep to, then the conversation, ending with the question. */
export interface Prompt {
  system: string;
  turns: Turn[];
}

/** A tool that a model may use. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the input. */
  schema: Record<string, unknown>;
  /** Never rejects for what the model did wrong: it is told in words. */
  use(input: unknown, signal: AbortSignal): Promise<string>;
}

/** JSON that an answer has to be. */
export interface ModelFormat {
  name: string;
  /** JSON Schema in which every field is required. */
  schema: Record<string, unknown>;
}

/** What an answer took, in the model's own units; null where the provider does not say. */
export interface Usage {
  input: number | null;
  output: number | null;
}

export interface WriteOptions {
  signal?: AbortSignal;
  /** Tools that may be used; left out for a model that turns out not to know how. */
  tools?: ModelTool[];
  /** What the answer must be; left out for a model that turns out not to keep to schemas: its text may be anything. */
  format?: ModelFormat;
  /** Tells of each use of a tool before it happens. */
  onStep?(name: string, input: unknown): void;
  /** Tells what the answer took so far, all calls together. */
  onUsage?(usage: Usage): void;
  /** Tells of every call that leaves the machine, also of one that fails. */
  onCall?(call: OutboundCall): void;
}

/** What is told of every call that leaves the machine. */
export interface OutboundCall {
  host: string;
  sent: number;
  received: number;
  /** Status of the reply; null when there was none. */
  status: number | null;
  ms: number;
}

/** A language model, whoever runs it. The rest of the program knows no provider. */
export interface Model {
  /** As the operator named it, for people. */
  readonly name: string;
  /**
   * Writes the next turn, piece by piece. Throws AppError in words for people: `unavailable`, `rate_limited`, or
   * `unavailable` with reason `stopped` after an abort.
   */
  write(prompt: Prompt, options?: WriteOptions): AsyncIterable<string>;
}
