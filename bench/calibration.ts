/** Share of an instance's text that is the query, or a text about another repository. */
export const KINDS = ['whole', 'title', 'vague', 'foreign'] as const;
export type TextKind = (typeof KINDS)[number];

/** Stated probability of an answer, 0 to 1, and its correctness. */
export interface Stated {
  confidence: number;
  right: boolean;
}

/** Vague reports without details, and errors without a place. */
export const VAGUE_REPORTS = [
  'it does not work',
  'it is slow sometimes',
  'TypeError: x',
  'I get an error, please help',
  'this crashes for some users',
  'Segmentation fault',
  'broken since the last update',
  'the result is wrong',
  'Error: undefined',
  'nothing happens when I click',
  'fails in production but not on my machine',
  'Process finished with exit code 1',
];

const BINS = 10;

function binned(cases: readonly Stated[]): Map<number, Stated[]> {
  return Map.groupBy(cases, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
}

/** Expected calibration error: the gap between stated and right in ten bins of equal width, weighed by cases. */
export function calibrationError(cases: readonly Stated[]): number {
  const bins = binned(cases);
  let gaps = 0;
  for (const inside of bins.values()) {
    const meanConfidence = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
    gaps += inside.length * Math.abs(meanConfidence - shareRight(inside));
  }
  return gaps / (cases.length || 1);
}

/**
 * The calibration error that these statements would show on average if each were exactly as likely as it states: so many
 * cases can't show less. A bin's gap is that of a sum of coins, whose mean size is √(2 · variance / π).
 */
export function minCalibrationError(cases: readonly Stated[]): number {
  const bins = binned(cases);
  const variance = (inside: readonly Stated[]) =>
    inside.reduce((sum, { confidence }) => sum + confidence * (1 - confidence), 0);
  const gaps = [...bins.values()].reduce(
    (sum, inside) => sum + Math.sqrt((2 * variance(inside)) / Math.PI),
    0,
  );
  return gaps / (cases.length || 1);
}

/** Share of the cases that were right. */
export function shareRight(cases: readonly Stated[]): number {
  return cases.filter(({ right }) => right).length / (cases.length || 1);
}
