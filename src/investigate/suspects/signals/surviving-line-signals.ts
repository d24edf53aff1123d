import { type SuspectSignal, scaleToUnit } from '../suspect-signal.ts';

/** Share of what the commit wrote in the located files that still stands there; what is gone can't fail any more. */
export const kept: SuspectSignal = ({ surviving: standing }) => {
  return standing.surviving.map((lines, index) => Math.min(1, lines / Math.max(1, standing.written[index]!)));
};

/** Rarity of the error's words in lines of the located files that the commit wrote and that still stand. */
export const keptWords: SuspectSignal = ({ surviving: standing }) => scaleToUnit(standing.words);

/** Share of the places' lines that the commit wrote. */
export const keptPlaces: SuspectSignal = ({ surviving: standing }) => scaleToUnit(standing.places);

/** How many lines of the located files are the commit's, on a logarithmic scale. */
export const keptLines: SuspectSignal = ({ surviving: standing }) =>
  scaleToUnit(standing.surviving.map((lines) => Math.log1p(lines)));

/** Rarity of the error's words in lines of the located functions that the commit wrote and that still stand. */
export const functionWords: SuspectSignal = ({ surviving: standing }) => scaleToUnit(standing.functions);
