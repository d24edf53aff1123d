import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fitLogistic, predictLogistic } from './logistic.ts';

/*
 * node bench/fit/answer-confidence.ts --data FILE [--weights src/assistant/chat/answer-weights.json]
 *
 * Fits the probability that an answer is right by logistic regression on what `fit/questions.ts` wrote, each set weighed alike, and
 * two thresholds of certainty, the lowest from which `PRECISION` are right by weights that left out the set: `certainty` of the
 * everyday answers to open questions, `threshold` of all others, where unanswerable questions count as wrong. Prints the curve, and
 * what each set gets by thresholds that were chosen on the others.
 */

interface Row {
  id: string;
  set: string;
  kind: string;
  shown: number;
  /** True for a question with an unknown name, which is declined whatever the probability. */
  lacksSubject: boolean;
  isOpen: boolean;
  answers: { isRight: boolean; features: Record<string, number> }[];
}

/** Probabilities from which answers to open questions, and others, are certain. */
interface Limits {
  open: number;
  other: number;
}

/** Strength of the pull of the weights towards 0. */
const RIDGE = 2;
/** Unanswerable questions are few and made by hand; foreign ones are many. */
const UNANSWERABLE_WEIGHT = 1.5;
const PRECISION = 0.9;
/** An answer that is likelier wrong than right is never certain. */
const MIN_LIKELY = 0.5;
/** Certain answers fewer than this say nothing about their precision. */
const MIN_CERTAIN = 20;
/** Wrong answers that are assumed beside those seen, since few answers are that probable. */
const ASSUMED_WRONG = 2;
/** Answers as probable as this are certain: too few are to find a threshold among them. */
const MAX_THRESHOLD = 0.95;
const CURVE = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

const { values } = parseArgs({
  options: { data: { type: 'string', multiple: true }, weights: { type: 'string' } },
});
if (!values.data) throw new Error('Name the answers: --data FILE');

const rows = values.data
  .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
  .map((line): Row => JSON.parse(line))
  .filter(({ answers }) => answers.length > 0);
const names = [...new Set(rows.flatMap(({ answers }) => Object.keys(answers[0]!.features)))];
const vectors = new Map(
  rows.map((row) => [row, [1, ...names.map((name) => row.answers[0]!.features[name] ?? 0)]]),
);
const isRight = ({ answers, shown }: Row) => answers.slice(0, shown).some((answer) => answer.isRight);
const isUnanswerable = ({ kind }: Row) => kind === 'unanswerable';
const isForeign = ({ kind }: Row) => kind === 'foreign';
const isOpen = (row: Row) => row.isOpen;
const isAnswerable = (row: Row) => !isUnanswerable(row) && !isForeign(row);
const isEveryday = (row: Row) => row.set.startsWith('everyday') && isAnswerable(row);
const isFact = (row: Row) => !row.set.startsWith('everyday') && isAnswerable(row);
/** Facts and unanswerable questions of the same repositories are left out together. */
const foldOf = ({ set }: Row) => set.replace(/^declined/, 'facts');
const folds = [...new Set(rows.map(foldOf))];
const scales = weighRows();

const leftOut = leaveOut(rows);
const limits = findLimits(rows, leftOut);
printCurve();
printLeftOut();
const whole = fit(rows).map((weight) => Number(weight.toFixed(3)));
const output = {
  bias: whole[0],
  ...Object.fromEntries(names.map((name, i) => [name, whole[i + 1]])),
  threshold: Number(limits.other.toFixed(3)),
  certainty: Number(limits.open.toFixed(3)),
};
console.log(output);
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(output, null, 2)}\n`);

/** Weights of rows by which the answerable questions of each set count alike. */
function weighRows(): Map<Row, number> {
  const sets = Map.groupBy(rows.filter(isAnswerable), ({ set }) => set);
  const mean = rows.filter(isAnswerable).length / sets.size;
  return new Map(
    rows.map((row) => {
      const own = isAnswerable(row) ? mean / sets.get(row.set)!.length : 1;
      return [row, isUnanswerable(row) ? UNANSWERABLE_WEIGHT : own];
    }),
  );
}

function fit(some: readonly Row[]): number[] {
  const data = {
    rows: some.map((row) => vectors.get(row)!),
    observed: some.map((row) => Number(isRight(row))),
    weights: some.map((row) => scales.get(row)!),
  };
  return fitLogistic(data, RIDGE);
}

/** The probability of each answer by weights that its set had no part in. */
function leaveOut(some: readonly Row[]): Map<Row, number> {
  const found = new Map<Row, number>();
  for (const fold of folds) {
    const own = some.filter((row) => foldOf(row) === fold);
    if (own.length === 0) continue;
    const fitted = fit(some.filter((row) => foldOf(row) !== fold));
    for (const row of own) found.set(row, row.lacksSubject ? 0 : predictLogistic(vectors.get(row)!, fitted));
  }
  return found;
}

function findLimits(some: readonly Row[], probabilities: ReadonlyMap<Row, number>): Limits {
  const open = some.filter((row) => isEveryday(row) && isOpen(row));
  const other = some.filter((row) => !isOpen(row) && !isForeign(row));
  return {
    open: findThreshold(open, probabilities),
    other: Math.max(MIN_LIKELY, findThreshold(other, probabilities)),
  };
}

/** Lowest probability from which so many answers are right that `PRECISION` is reached. */
function findThreshold(group: readonly Row[], probabilities: ReadonlyMap<Row, number>): number {
  const ranked = group.toSorted((a, b) => probabilities.get(b)! - probabilities.get(a)!);
  let [right, all, threshold] = [0, ASSUMED_WRONG, MAX_THRESHOLD];
  for (const [i, row] of ranked.entries()) {
    all += scales.get(row)!;
    right += Number(isRight(row)) * scales.get(row)!;
    if (i + 1 >= MIN_CERTAIN && right >= PRECISION * all) threshold = probabilities.get(row)!;
  }
  return threshold;
}

function isCertain(row: Row, { open, other }: Limits): boolean {
  return leftOut.get(row)! >= (isOpen(row) ? open : other);
}

function printCurve(): void {
  console.log(
    '| open ones certain from | everyday certain | right | facts uncertain | right | unanswerable declined | foreign declined |',
  );
  console.log('|--:|--:|--:|--:|--:|--:|--:|');
  for (const open of [...CURVE, limits.open].toSorted((a, b) => a - b)) {
    const accepts = (row: Row) => isCertain(row, { ...limits, open });
    const [everyday, facts] = [rows.filter(isEveryday).filter(accepts), rows.filter(isFact).filter(accepts)];
    const cells = [
      ...[open.toFixed(3), everyday.length, shareOf(everyday, isRight)],
      ...[shareOf(rows.filter(isFact), (row) => !accepts(row)), shareOf(facts, isRight)],
      shareOf(rows.filter(isUnanswerable), (row) => !accepts(row)),
      shareOf(rows.filter(isForeign), (row) => !accepts(row)),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

/** Certain answers of each set when neither the weights nor the thresholds have seen it. */
function printLeftOut(): void {
  for (const set of new Set(rows.filter(isAnswerable).map((row) => row.set))) {
    const others = rows.filter((row) => foldOf(row) !== set);
    const chosen = findLimits(others, leaveOut(others));
    const own = rows.filter((row) => row.set === set && isAnswerable(row));
    const certain = own.filter((row) => isCertain(row, chosen));
    const from = `from ${chosen.open.toFixed(3)} and ${chosen.other.toFixed(3)}`;
    console.log(
      `${set}: ${certain.length} of ${own.length} certain ${from}, right ${certain.filter(isRight).length}`,
    );
  }
}

function shareOf(group: readonly Row[], accepts: (row: Row) => boolean): string {
  return `${((100 * group.filter(accepts).length) / Math.max(1, group.length)).toFixed(1)} %`;
}
