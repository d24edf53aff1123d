import type { DebugRequest } from './use-debug-request.ts';

interface RequestDraft {
  /** Key of the history entry in which it was written. */
  entry: string;
  request: DebugRequest;
}

/** The unsent text of the form, for this tab and this account. */
export function openRequestDraft(userId: string, storage: Storage = sessionStorage) {
  const key = `debug-draft:${userId}`;
  return {
    /** The draft, unless the page was opened again with a request of its own. */
    read(entry: string, initial: DebugRequest | undefined): DebugRequest | undefined {
      const draft = parseDraft(storage.getItem(key));
      return draft && (draft.entry === entry || !initial) ? draft.request : initial;
    },
    save(draft: RequestDraft): void {
      try {
        storage.setItem(key, JSON.stringify(draft));
      } catch {
        // Quota exceeded: the text remains in the form.
      }
    },
    remove(): void {
      storage.removeItem(key);
    },
  };
}

function parseDraft(text: string | null): RequestDraft | null {
  try {
    const draft = JSON.parse(text ?? 'null') as RequestDraft | null;
    return typeof draft?.request?.error_message === 'string' ? draft : null;
  } catch {
    return null;
  }
}
