/** Result of a fault: how often it was injected, what was lost, and figures against the target. */
export interface Measurement {
  trials: number;
  /** Trials that broke a promise. */
  losses: number;
  /** Figures, such as `resumed ≤ 4.1 s`. */
  figures: string;
  /** False when a figure misses its target. */
  isMet: boolean;
}

/** Options of a run. */
export interface FaultRun {
  /** The short form: one trial of each kind. */
  short: boolean;
  /** Trials of the full form; the target's own number when absent. */
  trials?: number | undefined;
  /** Prints progress. */
  report(line: string): void;
}

/** A row of the reliability table. */
export interface Fault {
  /** `R1` … `R24`. */
  id: string;
  name: string;
  target: string;
  run(options: FaultRun): Promise<Measurement>;
}

/** Number of trials of a run: one in the short form. */
export function trialsOf({ short, trials }: FaultRun, full: number): number {
  return short ? 1 : (trials ?? full);
}

/** The slowest of some times, in seconds. */
export function slowest(times: readonly number[]): number {
  return Math.max(0, ...times) / 1000;
}

/** Formats seconds. */
export function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
