import { type SuspectSignal, scaleToUnit } from './suspect-signal.ts';

/** Share of the lines the commit added to the located files that survive there; removed lines cannot fail any more. */
const survivingShare: SuspectSignal = ({ surviving }) => {
  return surviving.surviving.map((lines, index) => Math.min(1, lines / Math.max(1, surviving.added[index]!)));
};

/** Idf of the error's terms in the commit's surviving lines of the located files. */
const survivingTerms: SuspectSignal = ({ surviving }) => scaleToUnit(surviving.words);

/** Share of the places' lines that are the commit's. */
const survivingInPlaces: SuspectSignal = ({ surviving }) => scaleToUnit(surviving.places);

/** Number of the commit's surviving lines in the located files, on a logarithmic scale. */
const survivingLines: SuspectSignal = ({ surviving }) =>
  scaleToUnit(surviving.surviving.map((lines) => Math.log1p(lines)));

/** Idf of the error's terms in the commit's surviving lines of the located functions. */
const survivingFunctionTerms: SuspectSignal = ({ surviving }) => scaleToUnit(surviving.functions);

export const survivingLineSignals = {
  survivingShare,
  survivingTerms,
  survivingInPlaces,
  survivingLines,
  survivingFunctionTerms,
};
