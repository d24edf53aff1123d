import type { SuspectSignal } from '../suspect-signal.ts';

/** What blame says of places that a frame or the message names: 1 for the last change of the very line. */
export const blame: SuspectSignal = ({ blamed, commits }) => {
  return commits.map((commit) => (blamed.get(commit)?.isCertainPlace ? blamed.get(commit)!.weight : 0));
};

/** What blame says of places that were found by words alone. */
export const blameNear: SuspectSignal = ({ blamed, commits }) => {
  return commits.map((commit) => (blamed.get(commit)?.isCertainPlace === false ? blamed.get(commit)!.weight : 0));
};

/** Share of the blamed lines, of all places, that the commit wrote last. */
export const wrote: SuspectSignal = ({ blamed, commits }) => {
  return commits.map((commit) => blamed.get(commit)?.share ?? 0);
};
