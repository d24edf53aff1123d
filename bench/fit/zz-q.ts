import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/*
 * node bench/fit/answer-confidence.ts --data FILE [--weights src/assistant/chat/answer-weights.json]
 *
 * Fits the probability that an answer is right, and the threshold below which the chat says that it is not sure: logistic
 * regression on what `fit/questions.ts` wrote. The threshold declines `DECLINED` of the unanswerable questions when each
 * repository is left out of the fit.
 */

interface Row {
  repository: string;
  kind: string;
  shown: number;
  /** True for a question with an unknown name, which is declined whatever the probability. */
  lacksSubject: boolean;
  answers: { isRight: boolean; features: Record<string, number> }[];
}

/** Strength of the pull of the weights towards 0. */
const RIDGE = 2;
const STEPS = 4000;
const RATE = 0.5;
/** Unanswerable questions are few and made by hand; foreign ones are many. */
const UNANSWERABLE_WEIGHT = 1.5;
const DECLINED = 0.9;

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
const isAnswerable = (row: Row) => !isUnanswerable(row) && !isForeign(row);
const leftOut = new Map<Row, number>();
for (const repository of new Set(rows.map((row) => row.repository))) {
  const fitted = fit(rows.filter((row) => row.repository !== repository));
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

const fitted = fit(rows).map((weight) => Number(weight.toFixed(3)));
const result = { bias: fitted[0], ...Object.fromEntries(names.map((name, i) => [name, fitted[i + 1]])) };
const output = { ...result, threshold: Number(threshold.toFixed(3)) };
console.log(output);
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(output, null, 2)}\n`);

/** Weights, the bias first, by gradient descent; convex, so the one minimum is found. */
function fit(data: Row[]): number[] {
  const weights = Array<number>(names.length + 1).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, i) => (i === 0 ? 0 : RIDGE * weight));
    for (const row of data) {
      const scale = isUnanswerable(row) ? UNANSWERABLE_WEIGHT : 1;
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
