import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { decideKind, explainError } from '../../src/investigate/kind/error-kind.ts';
import { EXPECTED_KINDS, readErrors } from '../error-sets.ts';
import { ERROR_SETS, fitKinds, toKindCase } from './fit-kinds.ts';
import { type MeasuredError, measureErrors } from './measured-errors.ts';

/**
 * Fits the weights by which the kind of an error is decided, by multinomial logistic regression on the errors of `bench/errors`,
 * shrunk towards weights set by hand:
 *
 *     node bench/fit/kinds.ts --repositories DIR [--cache DIR] [--evidence FILE] [--without owner/name]… [--ridge 0.05] [--weights FILE]
 *
 * Prints the kinds decided by the weights of the other repositories, and their sum by those of the other languages. FILE of
 * `--evidence` keeps what was measured, which takes most of the time; errors that it lacks are measured and added.
 */

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ repositories: text, cache: text, evidence: text, ridge: text, weights: text },
    without: { type: 'string', multiple: true },
  },
});
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');
const ridge = Number(values.ridge ?? 0.05);

const languageOf = readLanguages();
/** Repositories that are left out, such as one that takes long to index. */
const isWanted = ({ repository }: { repository: string }) => !values.without?.includes(repository);
const rows = await measureErrors({
  ...{ sets: ERROR_SETS, folder: values.repositories, cache: values.cache, file: values.evidence, isWanted },
  select: () => ({}),
});
const cases = rows.flatMap(toKindCase);
printLeftOut();
const weights = fitKinds(cases, ridge);
if (values.weights) writeFileSync(values.weights, `${JSON.stringify(weights, null, 2)}\n`);
else console.log(JSON.stringify(weights));

/** Language of each repository: the most frequent file extension of the places that its labels name. */
function readLanguages(): Map<string, string> {
  const languages = new Map<string, string>();
  const errors = ERROR_SETS.flatMap((set) => readErrors(set));
  for (const [repository, own] of Map.groupBy(errors, (error) => error.repository)) {
    const extensions = own.flatMap(({ expect }) =>
      expect.files.map((path) => path.slice(path.lastIndexOf('.'))),
    );
    const [most] = [...Map.groupBy(extensions, (extension) => extension)].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    languages.set(repository, (most?.[0] ?? repository).replace(/^\.[cm]?tsx?$/, '.js'));
  }
  return languages;
}

/** Kinds decided by the weights of all groups but a row's own. */
function decideLeftOut(groupOf: (repository: string) => string): Map<MeasuredError, string> {
  const decided = new Map<MeasuredError, string>();
  for (const [group, own] of Map.groupBy(rows, (row) => groupOf(row.repository))) {
    const fitted = fitKinds(
      cases.filter((one) => groupOf(one.repository) !== group),
      ridge,
    );
    for (const row of own) decided.set(row, decideKind(row.evidence, explainError(row.evidence, fitted)));
  }
  return decided;
}

function printLeftOut(): void {
  let decided = decideLeftOut((repository) => repository);
  const isExact = (row: MeasuredError) => {
    const [exact] = EXPECTED_KINDS[row.label];
    return decided.get(row) === exact;
  };
  const isRight = (row: MeasuredError) => EXPECTED_KINDS[row.label].includes(decided.get(row) as never);
  const labels = [...new Set(rows.map(({ label }) => label))];
  console.log(
    `| set | ${labels.join(' | ')} | exact | right |\n|---|${labels.map(() => '--:|').join('')}--:|--:|`,
  );
  for (const set of [...ERROR_SETS, 'all']) {
    const own = rows.filter((row) => set === 'all' || row.set === set);
    const cells = labels.map((label) =>
      share(
        own.filter((row) => row.label === label),
        isExact,
      ),
    );
    console.log(`| ${[set, ...cells, share(own, isExact), share(own, isRight)].join(' | ')} |`);
  }
  for (const row of rows)
    if (!isRight(row)) console.log(`${row.id}: ${row.label}, decided ${decided.get(row)}`);
  decided = decideLeftOut((repository) => languageOf.get(repository)!);
  console.log(`each language left out: ${share(rows, isExact)} exact, ${share(rows, isRight)} right`);
}

function share(some: MeasuredError[], test: (row: MeasuredError) => boolean): string {
  return `${some.filter(test).length} of ${some.length}`;
}
