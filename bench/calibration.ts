/** How much of an instance's text is asked with, or that the text is about another repository. */
export const KINDS = ['whole', 'title', 'vague', 'foreign'] as const;
export type TextKind = (typeof KINDS)[number];

/** What was stated of an answer, 0 to 1, and whether it was right. */
export interface Stated {
  confidence: number;
  right: boolean;
}

const BINS = 10;

/** Expected calibration error: the gap between stated and right in ten bins of equal width, weighed by cases. */
export function calibrationError(cases: readonly Stated[]): number {
  const bins = Map.groupBy(cases, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
  let gaps = 0;
  for (const inside of bins.values()) {
    const stated = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
    gaps += inside.length * Math.abs(stated - shareRight(inside));
  }
  return gaps / (cases.length || 1);
}

/** Share of the cases that were right. */
export function shareRight(cases: readonly Stated[]): number {
  return cases.filter(({ right }) => right).length / (cases.length || 1);
}
