/** Unsaved content and the commit it is based on. */
interface Draft {
  content: string;
  base: string | null;
}

/** Drafts of a user and project in local storage. */
export interface DraftStore {
  read(path: string): Draft | null;
  save(path: string, draft: Draft): void;
  remove(path: string): void;
  /** Paths of all drafts. */
  list(): string[];
}

/** Opens the draft store. Storage failures are ignored: drafts are a convenience. */
export function openDrafts(storage: Storage, owner: { userId: string; projectId: string }): DraftStore {
  const prefix = `draft:${owner.userId}:${owner.projectId}:`;
  const keyOf = (path: string) => prefix + path;
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
        // Quota exceeded: the text remains in the editor, which warns before closing.
      }
    },
    remove(path) {
      storage.removeItem(keyOf(path));
    },
    list: () =>
      Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length)),
  };
}
