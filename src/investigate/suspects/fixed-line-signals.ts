import type { BlamedFixLines, SuspectInput, SuspectSignal } from './suspect-signal.ts';

/** Share of the lines deleted or replaced by a fix that the commit changed last (SZZ, Śliwerski et al. 2005). */
const deletedLines: SuspectSignal = (input) => blamedShareOf(input, 'deleted');

/** Share of the lines adjacent to the pure additions of a fix. */
const adjacentLines: SuspectSignal = (input) => blamedShareOf(input, 'adjacent');

/** Share of the context lines in the diff of a fix. */
const contextLines: SuspectSignal = (input) => blamedShareOf(input, 'context');

/** Share of the lines of the functions changed by a fix. */
const functionLines: SuspectSignal = (input) => blamedShareOf(input, 'functions');

function blamedShareOf({ fixLines, commits }: SuspectInput, kind: keyof BlamedFixLines): number[] {
  const lines = fixLines?.[kind];
  const total = lines ? [...lines.values()].reduce((a, b) => a + b, 0) : 0;
  return commits.map((commit) => (total > 0 ? (lines!.get(commit) ?? 0) / total : 0));
}

/** 1 for the newest commit among those blamed for deleted lines (R-SZZ), 1/2 for the next, … */
const newestDeletedLines: SuspectSignal = ({ fixLines, commits }) => {
  const newestFirst = [...(fixLines?.deleted.keys() ?? [])].sort((a, b) => a - b);
  return commits.map((commit) => {
    const index = newestFirst.indexOf(commit);
    return index < 0 ? 0 : 1 / (index + 1);
  });
};

export const fixedLineSignals = {
  deletedLines,
  adjacentLines,
  contextLines,
  functionLines,
  newestDeletedLines,
};
