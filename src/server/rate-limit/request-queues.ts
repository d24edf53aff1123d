import { createFairQueue, type FairQueue } from '#scheduling/fair-queue.ts';

/** What many users ask for at once outside the pool of threads; each kind has turns of its own. */
export interface RequestQueues {
  /** Searches by git for literal text and regular expressions. */
  grep: FairQueue;
  /** Files, blame, diffs and logs that git reads for a page. */
  gitReads: FairQueue;
  /** Lists of files, which are held as objects. */
  fileLists: FairQueue;
  /** Git servers that are asked for their branches while a request waits. */
  gitRemotes: FairQueue;
  /** Answers that the language model is writing. */
  modelCalls: FairQueue;
  /** Questions that the embedding model turns into vectors. */
  embeddings: FairQueue;
}

const MAX_WAITING = 200;

/** The queues of one process. */
export function createRequestQueues(): RequestQueues {
  return {
    grep: createFairQueue({
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
    fileLists: createFairQueue({
      maxRunning: 4,
      maxRunningPerUser: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 30,
    }),
    gitRemotes: createFairQueue({
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
