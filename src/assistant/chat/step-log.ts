import { type AnswerStep, MAX_STEPS } from '#contract/chat.ts';

/** Log of the searches and tool calls of one answer. */
export interface StepLog {
  readonly steps: AnswerStep[];
  /** Runs a step and keeps its time and the number of its results, null when it fails. */
  measure<T>(
    step: Pick<AnswerStep, 'tool' | 'query'>,
    run: () => Promise<T>,
    countResults: (result: T) => number,
  ): Promise<T>;
}

const MAX_QUERY_LENGTH = 200;

/** Creates an empty log; steps are in the order in which they began. */
export function createStepLog(): StepLog {
  const steps: AnswerStep[] = [];
  return {
    steps,
    async measure({ tool, query }, run, countResults) {
      const started = performance.now();
      const step: AnswerStep = { tool, query: query.slice(0, MAX_QUERY_LENGTH), results: null, ms: 0 };
      if (steps.length < MAX_STEPS) steps.push(step);
      try {
        const result = await run();
        step.results = countResults(result);
        return result;
      } finally {
        step.ms = Math.round(performance.now() - started);
      }
    },
  };
}
