/** Which model, where it answers, and with which key. */
export interface ModelSettings {
  provider: 'anthropic' | 'openai' | 'ollama' | 'openai-compatible';
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

/** A language model, whoever runs it. The rest of the program knows no provider. */
export interface Model {
  /** As the operator named it, for people. */
  readonly name: string;
  /**
   * Writes the next turn, piece by piece. Throws AppError in words for people: `unavailable`, `rate_limited`, or
   * `unavailable` with reason `stopped` after an abort.
   */
  write(prompt: Prompt, options?: { signal?: AbortSignal }): AsyncIterable<string>;
}
