/** What was typed and not saved, and the commit that it began from. */
export interface Draft {
  content: string;
  base: string | null;
}

/** Drafts of one user and project in the browser's storage, so that a closed tab loses nothing. */
export interface DraftStore {
  read(path: string): Draft | null;
  save(path: string, draft: Draft): void;
  remove(path: string): void;
}

/** Opens the drafts. A storage that is full or forbidden keeps none; nothing else depends on it. */
export function openDrafts(storage: Storage, owner: { userId: string; projectId: string }): DraftStore {
  const keyOf = (path: string) => `draft:${owner.userId}:${owner.projectId}:${path}`;
  return {
    read(path) {
      try {
        const draft = JSON.parse(storage.getItem(keyOf(path)) ?? 'null') as Draft | null;
        return typeof draft?.content === 'string' ? draft : null;
      } catch {
        return null;
      }
    },
    save(path, draft) {
      try {
        storage.setItem(keyOf(path), JSON.stringify(draft));
      } catch {
        // Full: the text is still in the editor, which warns before it is closed.
      }
    },
    remove(path) {
      storage.removeItem(keyOf(path));
    },
  };
}
