import type { SuspectSignal } from './suspect-signal.ts';

/** Blame of places that a frame or the message names: 1 for the last change of the focus line. */
const blame: SuspectSignal = ({ blamed, commits }) => {
  return commits.map((commit) => (blamed.get(commit)?.isCertainPlace ? blamed.get(commit)!.weight : 0));
};

/** Blame of places that were found by words alone. */
const blameByWords: SuspectSignal = ({ blamed, commits }) => {
  return commits.map((commit) =>
    blamed.get(commit)?.isCertainPlace === false ? blamed.get(commit)!.weight : 0,
  );
};

/** Share of the blamed lines, over all places, that the commit changed last. */
const blamedShare: SuspectSignal = ({ blamed, commits }) => {
  return commits.map((commit) => blamed.get(commit)?.share ?? 0);
};

export const blameSignals = { blame, blameByWords, blamedShare };
