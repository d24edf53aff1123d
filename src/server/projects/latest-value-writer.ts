/** Writes the newest of many values, one at a time: what comes while a write is under way replaces what waits. */
export interface LatestValueWriter<T> {
  push(value: T): void;
  /** Waits until nothing is being written and drops what waits. Call it before a write that must be the last. */
  settle(): Promise<void>;
}

/** A `Latest` over `write`; a failed write is handed to `onError`, once, and ends it. */
export function createLatestValueWriter<T>(
  write: (value: T) => Promise<void>,
  onError: (error: unknown) => void,
): LatestValueWriter<T> {
  let waiting: { value: T } | null = null;
  let writing: Promise<void> | null = null;
  let ended = false;

  async function drain(): Promise<void> {
    while (waiting !== null && !ended) {
      const { value } = waiting;
      waiting = null;
      await write(value);
    }
  }

  return {
    push(value) {
      if (ended) return;
      waiting = { value };
      writing ??= drain()
        .catch((error) => {
          ended = true;
          onError(error);
        })
        .finally(() => {
          writing = null;
        });
    },
    async settle() {
      waiting = null;
      await writing;
    },
  };
}
