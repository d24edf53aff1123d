import { isoTime } from '#contract/iso-time.ts';
import type { SuspectInput, SuspectSignal } from './suspect-signal.ts';

const DAY = 86_400;
const RECENCY_HALF_LIFE = 365.25 * DAY;
const FRESHNESS_HALF_LIFE = 14 * DAY;
/** Twenty years. */
const MAX_AGE_DAYS = 7_305;

/** Halves with every year of age. */
const recency: SuspectSignal = (input) => byAge(input, (age) => 2 ** (-age / RECENCY_HALF_LIFE));

/** Halves with every fortnight of age: many faults show at once. */
const freshness: SuspectSignal = (input) => byAge(input, (age) => 2 ** (-age / FRESHNESS_HALF_LIFE));

/** Falls with the logarithm of the age in days: 1 today, 0 after twenty years. */
const youth: SuspectSignal = (input) =>
  byAge(input, (age) => Math.max(0, 1 - Math.log1p(age / DAY) / Math.log1p(MAX_AGE_DAYS)));

/** Applies a function to the ages in seconds; 0 for a commit with a broken date. */
function byAge({ index, commits, now }: SuspectInput, value: (age: number) => number): number[] {
  return commits.map((commit) => {
    const age = Math.max(0, now - index.commits.time(commit));
    return Number.isNaN(age) ? 0 : value(age);
  });
}

/** Halves with every 200 later commits. */
const commitOrder: SuspectSignal = ({ commits }) => commits.map((commit) => 2 ** (-commit / 200));

const DATE = /(?<![\d-])(?:19|20)\d\d-[01]\d-[0-3]\d(?![\d-])/g;

/** 1 where the error mentions the commit's date, as in `(trace2: add data events, 2022-07-18)`. */
const dateMentioned: SuspectSignal = ({ index, query, commits }) => {
  const dates = new Set(query.text.match(DATE));
  return commits.map((commit) => Number(dates.size > 0 && dates.has(isoDate(index.commits.time(commit)))));
};

/** `2022-07-18` in UTC; empty for a broken date. */
function isoDate(time: number): string {
  return isoTime(time).slice(0, 10);
}

export const ageSignals = { recency, freshness, youth, commitOrder, dateMentioned };
