import { terms } from '#memory/tokens.ts';
import type { ErrorWords } from '../locate/error-words.ts';
import { unqualifiedName } from './changed-functions.ts';
import { type SuspectSignal, scaleToUnit } from './suspect-signal.ts';

/** Score of the best place that calls a function which the commit changed. */
const changesCallee: SuspectSignal = ({ located, diffFeatures }) => {
  return diffFeatures.map(({ functions }) =>
    Math.max(
      0,
      ...located.places
        .filter(({ calls }) => [...functions].some((name) => calls.has(name)))
        .map(({ score }) => score),
    ),
  );
};

/** Score of the best place whose function is mentioned in changed lines: an added or removed caller. */
const changesCaller: SuspectSignal = ({ located, diffFeatures }) => {
  return diffFeatures.map(({ mentions }) =>
    Math.max(
      0,
      ...located.places
        .filter(({ symbol }) => symbol !== null && mentions.has(unqualifiedName(symbol)))
        .map(({ score }) => score),
    ),
  );
};

/** Idf of the changed functions that the error mentions anywhere in its text. */
const mentionedFunction: SuspectSignal = ({ query, words, diffFeatures }) => {
  const identifiers = new Set(query.text.match(/[\p{L}_$][\w$]*/gu));
  return scaleToUnit(
    diffFeatures.map(({ functions }) => {
      const mentioned = [...functions].filter((name) => identifiers.has(name));
      return Math.max(0, ...mentioned.map((name) => maxIdf(name, words)));
    }),
  );
};

function maxIdf(name: string, words: ErrorWords): number {
  return Math.max(0, ...terms(name).map((term) => words.inVocabulary.get(term)?.idf ?? 0));
}

export const callSignals = { changesCallee, changesCaller, mentionedFunction };
