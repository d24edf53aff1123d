import { terms } from '#memory/tokens.ts';
import type { ErrorWords } from '../../text/error-words.ts';
import { type SuspectSignal, scaleToUnit } from '../suspect-signal.ts';

/** Score of the best place that calls a function which the commit changed. */
export const callee: SuspectSignal = ({ located, diffFeatures: changes }) => {
  return changes.map(({ functions }) =>
    Math.max(
      0,
      ...located.places
        .filter(({ calls }) => [...functions].some((name) => calls.has(name)))
        .map(({ score }) => score),
    ),
  );
};

/** Score of the best place whose function stands in lines that the commit changed: a new caller, or a lost one. */
export const caller: SuspectSignal = ({ located, diffFeatures: changes }) => {
  return changes.map(({ mentions }) =>
    Math.max(
      0,
      ...located.places
        .filter(({ symbol }) => symbol !== null && mentions.has(symbol.slice(symbol.lastIndexOf('.') + 1)))
        .map(({ score }) => score),
    ),
  );
};

/** Rarity in the code of the functions that the error names, anywhere in its text, and the commit changed. */
export const named: SuspectSignal = ({ query, words, diffFeatures: changes }) => {
  const text = new Set(query.text.match(/[\p{L}_$][\w$]*/gu));
  return scaleToUnit(
    changes.map(({ functions }) => {
      const found = [...functions].filter((name) => text.has(name));
      return Math.max(0, ...found.map((name) => wholeRarity(name, words)));
    }),
  );
};

function wholeRarity(name: string, words: ErrorWords): number {
  return Math.max(0, ...terms(name).map((term) => words.inVocabulary.get(term)?.idf ?? 0));
}
