import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isOpenAnswer } from '../../src/assistant/chat/choose.ts';
import type { Intent } from '../../src/assistant/chat/understand/reading.ts';
import { readQuestions } from '../question-sets.ts';

/*
 * node bench/fit/answer-confidence.ts --data FILE [--weights src/assistant/chat/answer-weights.json]
 *
 * Fits the probability that an answer is right by logistic regression on what `fit/questions.ts` wrote, and two thresholds of
 * certainty, each with every repository left out of the fit: `threshold` declines `DECLINED` of the unanswerable questions;
 * `certainty` is for answers to open questions, of which the share `PRECISION` is right above it.
 */

interface Row {
  id: string;
  repository: string;
  kind: string;
  shown: number;
  /** True for a question with an unknown name, which is declined whatever the probability. */
  lacksSubject: boolean;
  text: string;
  mentions: { score: number }[];
  answers: { intent: Intent; isRight: boolean; features: Record<string, number> }[];
}

/** Strength of the pull of the weights towards 0. */
const RIDGE = 2;
const STEPS = 4000;
/** Fits without one repository begin at the fit of all. */
const LEFT_OUT_STEPS = 800;
const RATE = 0.5;
/** Unanswerable questions are few and made by hand; foreign ones are many. */
const UNANSWERABLE_WEIGHT = 1.5;
/** Everyday questions are few, and their answers are less often right. */
const EVERYDAY_WEIGHT = 3;
const DECLINED = 0.95;
const PRECISION = 0.9;
/** Certain answers fewer than this say nothing about their precision. */
const MIN_CERTAIN = 20;
const EVERYDAY = ['everyday-open', 'everyday-aside', 'everyday-aside-2'];

const { values } = parseArgs({ options: { data: { type: 'string' }, weights: { type: 'string' } } });
if (!values.data) throw new Error('Name the answers: --data FILE');

const all: Row[] = readFileSync(values.data, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const rows = all.filter(({ answers }) => answers.length > 0);
const names = [...new Set(rows.flatMap(({ answers }) => Object.keys(answers[0]!.features)))];
const isRight = ({ answers, shown }: Row) => answers.slice(0, shown).some((answer) => answer.isRight);
const vectors = new Map(
  rows.map((row) => [row, [1, ...names.map((name) => row.answers[0]!.features[name] ?? 0)]]),
);

const isUnanswerable = ({ kind }: Row) => kind === 'unanswerable';
const isForeign = ({ kind }: Row) => kind === 'foreign';
const isOpen = ({ answers, text, mentions }: Row) =>
  isOpenAnswer({ intent: answers[0]!.intent, question: text, mentions });
const isAnswerable = (row: Row) => !isUnanswerable(row) && !isForeign(row);
const everydayIds = new Set(EVERYDAY.flatMap((set) => readQuestions(set)).map(({ id }) => id));
const isEveryday = (row: Row) => everydayIds.has(row.id) && !isForeign(row);
const leftOut = new Map<Row, number>();
const whole = fit(rows);
for (const repository of new Set(rows.map((row) => row.repository))) {
  const fitted = fit(
    rows.filter((row) => row.repository !== repository),
    { from: whole, steps: LEFT_OUT_STEPS },
  );
  for (const row of rows.filter((one) => one.repository === repository))
    leftOut.set(row, row.lacksSubject ? 0 : predict(row, fitted));
}
const declined = rows.filter(isUnanswerable).map((row) => leftOut.get(row)!);
const threshold = declined.toSorted((a, b) => a - b)[Math.ceil(DECLINED * declined.length) - 1]! + 0.001;
const shareOf = (group: Row[], accepts: (row: Row) => boolean) =>
  `${((100 * group.filter(accepts).length) / group.length).toFixed(1)} %`;
const isDeclined = (row: Row) => leftOut.get(row)! < threshold;
console.log(`threshold ${threshold.toFixed(3)}, each repository left out of the fit`);
console.log('unanswerable declined', shareOf(rows.filter(isUnanswerable), isDeclined));
console.log('foreign declined', shareOf(rows.filter(isForeign), isDeclined));
console.log('answerable declined', shareOf(rows.filter(isAnswerable), isDeclined));
const answered = rows.filter((row) => isAnswerable(row) && !isDeclined(row));
console.log('right among those answered', shareOf(answered, isRight));
const certainty = Math.max(threshold, findCertainty(rows.filter((row) => isEveryday(row) && isOpen(row))));
for (const [name, group] of [
  ['everyday', rows.filter(isEveryday)],
  ['facts', rows.filter((row) => !isEveryday(row) && isAnswerable(row))],
] as const) {
  for (const limit of [threshold, certainty]) {
    const certain = group.filter((row) => leftOut.get(row)! >= (isOpen(row) ? limit : threshold));
    const share = `${certain.length} of ${group.length}, open ones from ${limit.toFixed(3)}`;
    console.log(`${name}: certain ${share}, right among them ${shareOf(certain, isRight)}`);
  }
}

const fitted = whole.map((weight) => Number(weight.toFixed(3)));
const result = { bias: fitted[0], ...Object.fromEntries(names.map((name, i) => [name, fitted[i + 1]])) };
const output = {
  ...result,
  threshold: Number(threshold.toFixed(3)),
  certainty: Number(certainty.toFixed(3)),
};
console.log(output);
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(output, null, 2)}\n`);

/** Lowest probability from which so many answers are right that `PRECISION` is reached. */
function findCertainty(group: Row[]): number {
  const ranked = group.toSorted((a, b) => leftOut.get(b)! - leftOut.get(a)!);
  let right = 0;
  let limit = 1;
  for (const [i, row] of ranked.entries()) {
    right += Number(isRight(row));
    if (i + 1 >= MIN_CERTAIN && right >= PRECISION * (i + 1)) limit = leftOut.get(row)!;
  }
  return limit;
}

/** Weights, the bias first, by gradient descent; convex, so the one minimum is found. */
function fit(data: Row[], { from, steps = STEPS }: { from?: number[]; steps?: number } = {}): number[] {
  const weights = from?.slice() ?? Array<number>(names.length + 1).fill(0);
  for (let step = 0; step < steps; step++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : RIDGE * weight));
    for (const row of data) {
      const scale = (isEveryday(row) ? EVERYDAY_WEIGHT : 1) * (isUnanswerable(row) ? UNANSWERABLE_WEIGHT : 1);
      const error = scale * (predict(row, weights) - Number(isRight(row)));
      vectors.get(row)!.forEach((value, i) => {
        gradient[i]! += error * value;
      });
    }
    gradient.forEach((slope, i) => {
      weights[i]! -= (RATE * slope) / data.length;
    });
  }
  return weights;
}

function predict(row: Row, weights: number[]): number {
  const sum = vectors.get(row)!.reduce((total, value, i) => total + value * weights[i]!, 0);
  return 1 / (1 + Math.exp(-sum));
}
