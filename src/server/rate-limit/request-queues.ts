import { createFairQueue, type FairQueue } from '#scheduling/fair-queue.ts';

/** What many users ask for at once outside the pool of threads; each kind has turns of its own. */
export interface Queues {
  /** Searches by git for literal text and regular expressions. */
  lines: FairQueue;
  /** Files, blame, diffs and logs that git reads for a page. */
  gitReads: FairQueue;
  /** Lists of files, which are held as objects. */
  trees: FairQueue;
  /** Git servers that are asked for their branches while a request waits. */
  remotes: FairQueue;
  /** Answers that the language model is writing. */
  modelCalls: FairQueue;
  /** Questions that the embedding model turns into vectors. */
  embeddings: FairQueue;
}

const MAX_WAITING = 200;

/** The queues of one process. */
export function createQueues(): Queues {
  return {
    lines: createFairQueue({
      maxRunning: 4,
      maxRunningPerUser: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 8,
    }),
    // The editor opens a handful of files at once.
    gitReads: createFairQueue({
      maxRunning: 8,
      maxRunningPerUser: 3,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 30,
    }),
    trees: createFairQueue({
      maxRunning: 4,
      maxRunningPerUser: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 30,
    }),
    remotes: createFairQueue({
      maxRunning: 4,
      maxRunningPerUser: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 8,
    }),
    modelCalls: createFairQueue({
      maxRunning: 16,
      maxRunningPerUser: 2,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 8,
    }),
    embeddings: createFairQueue({
      maxRunning: 16,
      maxRunningPerUser: 2,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 8,
    }),
  };
}
