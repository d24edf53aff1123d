import { parseArgs } from 'node:util';
import { accusationProbability } from '../../src/investigate/accused-commits.ts';
import type { Investigation } from '../../src/investigate/investigate.ts';
import { decideKind, explainError } from '../../src/investigate/kind/error-kind.ts';
import type { RepositoryIndex } from '../../src/memory/repository-index.ts';
import type { LabelledError } from '../error-sets.ts';
import { ERROR_SETS, fitKinds, toKindCase } from './fit-kinds.ts';
import { type MeasuredError, measureErrors } from './measured-errors.ts';

/**
 * Compares conditions for accusing a commit on the errors of `bench/errors`:
 *
 *     node bench/fit/accusations.ts --repositories DIR [--cache DIR] [--set NAME]… [--evidence FILE]
 *
 * Each set, then each repository, is left out: the kinds of its errors are decided by weights fitted on the others, and a condition's
 * threshold is the loosest one that is right in 90 % of the accusations on the others. FILE of `--evidence` keeps what was measured.
 */
const DAY = 86_400;
const RIDGE = 0.05;
const MIN_PRECISION = 0.9;
const PROBABILITIES = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];

/** A labelled error with the case against its first suspect. */
interface Row extends MeasuredError {
  /** The failing line changed since, or nothing locates the error: no commit is accused. */
  isExempt: boolean;
  cause: number;
  days: number;
  /** Commits of the history after that of the first suspect. */
  newerCommits: number;
  isIntroduced: boolean;
  /** False where the first suspect cannot be the cause, such as a release. */
  isEligible: boolean;
  isCulpritInThree: boolean;
}

/** A row with the kind and the probability of a fault by the weights of the other groups. */
interface Judged extends Row {
  isDefect: boolean;
  fault: number;
}

/** A condition for accusing; thresholds from the loosest to the strictest. */
interface Condition {
  name: string;
  thresholds: readonly number[];
  accepts(row: Judged, threshold: number): boolean;
}

/** Number of newer commits of a recent one. */
const NEWER_COMMITS = [400, 200, 100, 50, 20, 10];
/** Days of a recent commit, whatever the number of newer ones. */
const RECENT_DAYS = 30;

const CONDITIONS: Condition[] = [
  {
    name: 'cause at least 0.65 and fault × cause at least 0.55',
    thresholds: [0.55],
    accepts: ({ cause, fault }, threshold) => cause >= 0.65 && cause * fault >= threshold,
  },
  {
    name: 'fault × cause',
    thresholds: PROBABILITIES,
    accepts: ({ cause, fault }, threshold) => cause * fault >= threshold,
  },
  {
    name: 'fault × cause at least 0.65, and changed within days',
    thresholds: [720, 360, 180, 120, 90, 60, 30],
    accepts: ({ cause, fault, days }, threshold) => cause * fault >= 0.65 && days <= threshold,
  },
  {
    name: 'fault × cause at least 0.65, and newer commits or 30 days',
    thresholds: NEWER_COMMITS,
    accepts: (row, threshold) => row.cause * row.fault >= 0.65 && isRecent(row, threshold),
  },
  {
    name: 'fault × cause, and at most 200 newer commits or 30 days',
    thresholds: PROBABILITIES,
    accepts: (row, threshold) => row.cause * row.fault >= threshold && isRecent(row, 200),
  },
  {
    name: 'fault × cause at least 0.65, and at most 200 newer commits or 30 days',
    thresholds: [0.65],
    accepts: (row, threshold) => row.cause * row.fault >= threshold && isRecent(row, 200),
  },
  {
    name: 'fault × cause at least 0.7, and at most 200 newer commits or 30 days, as in use',
    thresholds: [0.7],
    accepts: (row, threshold) => row.cause * row.fault >= threshold && isRecent(row, 200),
  },
  {
    name: 'at least 0.65 and at most 200 newer commits or 30 days, or at least 0.55, cause at least 0.65 and at most 20 newer commits',
    thresholds: [0.65],
    accepts: (row, threshold) =>
      row.cause >= 0.65 &&
      (row.newerCommits <= 20
        ? row.cause * row.fault >= 0.55
        : row.cause * row.fault >= threshold && isRecent(row, 200)),
  },
];

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ repositories: text, cache: text, evidence: text },
    set: { type: 'string', multiple: true, default: ERROR_SETS },
  },
});
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');

const rows: Row[] = await measureErrors({
  ...{ sets: values.set, folder: values.repositories, cache: values.cache, file: values.evidence },
  select: readAccusation,
});
console.log(`${rows.length} errors`);
const bySet = judgeLeftOut('set');
printLeftOut('set', bySet);
printCases(bySet.filter(isCase));
printLeftOut('repository', judgeLeftOut('repository'));

/** The case against the first suspect. */
function readAccusation(
  { accusation: { suspects, isIntroduced }, ...found }: Investigation,
  { expect }: LabelledError,
  { commits }: RepositoryIndex,
): Omit<Row, keyof MeasuredError> {
  const [first] = suspects;
  return {
    isExempt: found.changed !== null || found.confidence.abstained,
    cause: found.causeConfidence,
    days: first ? (commits.time(0) - commits.time(first.commit)) / DAY : 0,
    newerCommits: first?.commit ?? 0,
    isIntroduced,
    isEligible: first !== undefined,
    isCulpritInThree: suspects.some(({ commit }) => commits.oid(commit) === expect.culprit),
  };
}

/** Judges every error by the weights of the other groups. */
function judgeLeftOut(key: 'set' | 'repository'): Judged[] {
  const cases = rows.flatMap(toKindCase);
  return [...Map.groupBy(rows, (row) => row[key])].flatMap(([group, own]) => {
    const weights = fitKinds(
      cases.filter((one) => one[key] !== group),
      RIDGE,
    );
    return own.map((row) => {
      const explanations = explainError(row.evidence, weights);
      const isDefect = decideKind(row.evidence, explanations) === 'regression';
      return { ...row, isDefect, fault: explanations.fault };
    });
  });
}

function isRecent({ days, newerCommits }: Row, maxNewerCommits: number): boolean {
  return newerCommits <= maxNewerCommits || days <= RECENT_DAYS;
}

/** True where a commit may be accused, if it is probable enough. */
function isCase({ isDefect, isEligible, isExempt, isIntroduced, evidence }: Judged): boolean {
  return isDefect && isEligible && !isExempt && isIntroduced && evidence.environment.failsToLoad === 0;
}

function accuses(row: Judged, { accepts }: Condition, threshold: number): boolean {
  return isCase(row) && accepts(row, threshold);
}

/** The loosest threshold that is precise on the given rows; the strictest where none is. */
function chooseThreshold(some: readonly Judged[], condition: Condition): number {
  const isPrecise = (threshold: number) => {
    const accused = some.filter((row) => accuses(row, condition, threshold));
    return accused.filter((row) => row.isCulpritInThree).length >= MIN_PRECISION * accused.length;
  };
  return condition.thresholds.find(isPrecise) ?? condition.thresholds.at(-1)!;
}

function printLeftOut(key: 'set' | 'repository', judged: readonly Judged[]): void {
  console.log(
    `\n| each ${key} left out | ${ERROR_SETS.join(' | ')} | all |\n|---|${'--:|'.repeat(ERROR_SETS.length + 1)}`,
  );
  for (const condition of CONDITIONS) {
    const accused = [...Map.groupBy(judged, (row) => row[key])].flatMap(([group, own]) => {
      const others = judged.filter((row) => row[key] !== group);
      const threshold = chooseThreshold(others, condition);
      return own.filter((row) => accuses(row, condition, threshold));
    });
    const cells = [...ERROR_SETS, null].map((set) =>
      share(accused.filter((row) => set === null || row.set === set)),
    );
    console.log(`| ${[condition.name, ...cells].join(' | ')} |`);
  }
}

function share(accused: readonly Judged[]): string {
  return `${accused.filter((row) => row.isCulpritInThree).length} of ${accused.length}`;
}

/** Every case, each set left out. */
function printCases(cases: readonly Judged[]): void {
  console.log(
    '\n| error | label | fault | cause | stated | days | newer commits | culprit |\n|---|---|--:|--:|--:|--:|--:|---|',
  );
  for (const row of cases.toSorted((a, b) => b.fault * b.cause - a.fault * a.cause)) {
    const stated = accusationProbability(row.cause, row.fault);
    const numbers = [
      ...[row.fault, row.cause, stated].map((value) => value.toFixed(2)),
      Math.round(row.days),
    ];
    console.log(`| ${[row.id, row.label, ...numbers, row.newerCommits, row.isCulpritInThree].join(' | ')} |`);
  }
}
