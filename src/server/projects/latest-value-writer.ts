/** Serializes writes of a changing value: a value pushed during a write replaces the pending one. */
export interface LatestValueWriter<T> {
  push(value: T): void;
  /**
   * Drops the pending value and waits for the current write. Call it before a write that must be the last.
   */
  settle(): Promise<void>;
}

/** Creates a writer. A failed write is reported to `onError` once and stops the writer. */
export function createLatestValueWriter<T>(
  write: (value: T) => Promise<void>,
  onError: (error: unknown) => void,
): LatestValueWriter<T> {
  let pending: { value: T } | null = null;
  let writing: Promise<void> | null = null;
  let failed = false;

  async function drain(): Promise<void> {
    while (pending !== null && !failed) {
      const { value } = pending;
      pending = null;
      await write(value);
    }
  }

  return {
    push(value) {
      if (failed) return;
      pending = { value };
      writing ??= drain()
        .catch((error) => {
          failed = true;
          onError(error);
        })
        .finally(() => {
          writing = null;
        });
    },
    async settle() {
      pending = null;
      await writing;
    },
  };
}
