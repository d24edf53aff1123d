import { useState } from 'react';

const KEY = 'chat-options';

/** What an answer may use. */
export interface ChatOptions {
  use_chat_history: boolean;
  use_code_context: boolean;
}

/** The reader's choice, remembered on this device; both are on at first. */
export function useChatOptions(): [ChatOptions, (options: ChatOptions) => void] {
  const [options, setOptions] = useState(() => parseOptions(localStorage.getItem(KEY)));
  const choose = (chosen: ChatOptions) => {
    localStorage.setItem(KEY, JSON.stringify(chosen));
    setOptions(chosen);
  };
  return [options, choose];
}

/** Reads what was stored; whatever does not say no is a yes. */
export function parseOptions(stored: string | null): ChatOptions {
  let parsed: Partial<ChatOptions> | null = null;
  try {
    parsed = JSON.parse(stored ?? 'null');
  } catch {
    // Somebody else's text under our name counts as none.
  }
  return {
    use_chat_history: parsed?.use_chat_history !== false,
    use_code_context: parsed?.use_code_context !== false,
  };
}
