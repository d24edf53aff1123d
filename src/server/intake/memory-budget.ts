import { intakeBusy } from './event-writer.ts';

/** Bytes of one request that are in memory. */
export interface MemoryLease {
  /** Throws `rate_limited` beyond the budget. */
  reserve(bytes: number): void;
  release(): void;
}

/** Creates a budget for decompressed events in memory, which the budget of request bodies does not see. */
export function createMemoryBudget(maxBytes: number): () => MemoryLease {
  let used = 0;
  return () => {
    let taken = 0;
    return {
      reserve(bytes) {
        if (used + bytes > maxBytes) throw intakeBusy();
        used += bytes;
        taken += bytes;
      },
      release() {
        used -= taken;
        taken = 0;
      },
    };
  };
}
