import type { SuspectInput, SuspectSignal } from '../suspect-signal.ts';

const DAY = 86_400;
const HALF_LIVES = { recent: 365.25 * DAY, fresh: 14 * DAY };
/** Twenty years. */
const OLDEST = 7_305;

/** Recency: halves with every year of age. */
export const recency: SuspectSignal = (input) => ages(input, (age) => 2 ** (-age / HALF_LIVES.recent));

/** Freshness: halves with every fortnight; much of what breaks, breaks at once. */
export const fresh: SuspectSignal = (input) => ages(input, (age) => 2 ** (-age / HALF_LIVES.fresh));

/** Youth on a logarithmic scale of days: 1 today, 0 after twenty years. */
export const youth: SuspectSignal = (input) =>
  ages(input, (age) => Math.max(0, 1 - Math.log1p(age / DAY) / Math.log1p(OLDEST)));

/** A commit with a broken date has no age and gets 0. */
function ages({ memory, commits, now }: SuspectInput, value: (age: number) => number): number[] {
  return commits.map((commit) => {
    const age = Math.max(0, now - memory.commits.time(commit));
    return Number.isNaN(age) ? 0 : value(age);
  });
}

/** How few commits came after it: halves with every 200. */
export const order: SuspectSignal = ({ commits }) => commits.map((commit) => 2 ** (-commit / 200));

const DATE = /(?<![\d-])(?:19|20)\d\d-[01]\d-[0-3]\d(?![\d-])/g;

/** 1 where the error names the commit's very day, as in `(trace2: add data events, 2022-07-18)`. */
export const dated: SuspectSignal = ({ memory, query, commits }) => {
  const days = new Set(query.text.match(DATE));
  return commits.map((commit) => Number(days.size > 0 && days.has(dayOf(memory.commits.time(commit)))));
};

/** `2022-07-18` in UTC; empty for a broken date. */
function dayOf(time: number): string {
  return Number.isNaN(time) ? '' : new Date(time * 1000).toISOString().slice(0, 10);
}
