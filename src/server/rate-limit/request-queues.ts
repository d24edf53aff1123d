import { createFairQueue, type FairQueue } from '#scheduling/fair-queue.ts';

/** Fair queues by user for work outside the thread pool. */
export interface RequestQueues {
  /** Literal and regular expression searches by git. */
  grep: FairQueue;
  /** Names of files, symbols and commits while a user types. */
  names: FairQueue;
  /** Files, blame, diffs and logs. */
  gitReads: FairQueue;
  /** File lists, which take memory. */
  fileLists: FairQueue;
  /** Branch lists of git servers that a request waits for. */
  gitRemotes: FairQueue;
  /** Answers of the language model. */
  modelCalls: FairQueue;
  /** Answers of models that people and projects have set. */
  ownModelCalls: FairQueue;
  /** Query embeddings. */
  embeddings: FairQueue;
}

const MAX_WAITING = 200;

/** Creates the queues of one process. */
export function createRequestQueues(): RequestQueues {
  return {
    grep: createFairQueue({
      maxRunning: 4,
      maxRunningPerUser: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 8,
    }),
    names: createFairQueue({
      maxRunning: 2,
      maxRunningPerUser: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerUser: 4,
    }),
    // The editor opens several files at once.
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
    ownModelCalls: createFairQueue({
      maxRunning: 32,
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
