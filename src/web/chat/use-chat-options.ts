import { useState } from 'react';

const KEY = 'chat-options';

/** Sources that an answer may use. */
export interface ChatOptions {
  use_chat_history: boolean;
  use_code_context: boolean;
}

/** Chat options, stored in this browser; both default to true. */
export function useChatOptions(): [ChatOptions, (options: ChatOptions) => void] {
  const [options, setOptions] = useState(() => parseOptions(localStorage.getItem(KEY)));
  const choose = (chosen: ChatOptions) => {
    localStorage.setItem(KEY, JSON.stringify(chosen));
    setOptions(chosen);
  };
  return [options, choose];
}

/** Parses stored options; every value other than false is true. */
export function parseOptions(stored: string | null): ChatOptions {
  let parsed: Partial<ChatOptions> | null = null;
  try {
    parsed = JSON.parse(stored ?? 'null');
  } catch {
    // An unreadable value counts as none.
  }
  return {
    use_chat_history: parsed?.use_chat_history !== false,
    use_code_context: parsed?.use_code_context !== false,
  };
}
