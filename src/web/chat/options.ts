import { useState } from 'react';

const KEY = 'chat-options';

/** What an answer may use. */
export interface ChatOptions {
  use_chat_history: boolean;
  use_code_context: boolean;
}

/** The reader's choice, remembered on this device; both are on at first. */
export function useChatOptions(): [ChatOptions, (options: ChatOptions) => void] {
  const [options, setOptions] = useState(() => readOptions(localStorage.getItem(KEY)));
  const choose = (chosen: ChatOptions) => {
    localStorage.setItem(KEY, JSON.stringify(chosen));
    setOptions(chosen);
  };
  return [options, choose];
}

/** Reads what was stored; whatever does not say no is a yes. */
export function readOptions(stored: string | null): ChatOptions {
  let kept: Partial<ChatOptions> | null = null;
  try {
    kept = JSON.parse(stored ?? 'null');
  } catch {
    // Somebody else's text under our name counts as none.
  }
  return {
    use_chat_history: kept?.use_chat_history !== false,
    use_code_context: kept?.use_code_context !== false,
  };
}
