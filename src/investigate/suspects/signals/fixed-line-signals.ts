import type { BlamedFixLines, SuspectInput, SuspectSignal } from '../suspect-signal.ts';

/** Share of the lines that a fix took away or replaced which the commit wrote last (SZZ, Śliwerski et al. 2005). */
export const deleted: SuspectSignal = (input) => share(input, 'deleted');

/** Share of the lines beside which a fix only added. */
export const neighbours: SuspectSignal = (input) => share(input, 'neighbours');

/** Share of the lines around a fix's changes: those that its diff shows unchanged. */
export const around: SuspectSignal = (input) => share(input, 'around');

/** Share of the lines of the functions that a fix changed. */
export const functions: SuspectSignal = (input) => share(input, 'functions');

function share({ fixLines: mended, commits }: SuspectInput, kind: keyof BlamedFixLines): number[] {
  const lines = mended?.[kind];
  const all = lines ? [...lines.values()].reduce((a, b) => a + b, 0) : 0;
  return commits.map((commit) => (all > 0 ? (lines!.get(commit) ?? 0) / all : 0));
}

/** 1 for the newest commit among those that wrote deleted lines (R-SZZ), 1/2 for the next, … */
export const newestDeleted: SuspectSignal = ({ fixLines: mended, commits }) => {
  const newestFirst = [...(mended?.deleted.keys() ?? [])].sort((a, b) => a - b);
  return commits.map((commit) => {
    const place = newestFirst.indexOf(commit);
    return place < 0 ? 0 : 1 / (place + 1);
  });
};
