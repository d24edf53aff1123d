import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isNonSource } from '../../src/evolution/fixes.ts';
import { type LabelledError, readErrors } from '../error-sets.ts';
import { type ProofFault, readFaults } from './faults.ts';
import { REPOSITORIES } from './repositories.ts';
import { findGoodRelease, openCheckout, runAt, type TestCheckout } from './test-checkout.ts';

/*
 * node bench/proof/real-faults.ts --repositories DIR --work DIR --out FILE [--dependencies DIR] [--only NAME]…
 *
 * Finds regressions that happened and whose tests run here: those of `bench/errors` with a culprit and a fix, where a test that the
 * fix added fails at the reported revision and at the culprit, and passes at its parent and with the fix.
 */

const { values } = parseArgs({
  options: {
    repositories: { type: 'string', default: '' },
    work: { type: 'string', default: '' },
    out: { type: 'string', default: '' },
    dependencies: { type: 'string', default: '' },
    only: { type: 'string', multiple: true },
  },
});

const SETS = ['open', 'aside', 'aside-2', 'aside-3'];
const MAX_FAILURES = 3;

const known = new Set(readFaults().map(({ id }) => id));
for (const error of SETS.flatMap(readErrors)) {
  const repository = REPOSITORIES.find(({ name }) => name === error.repository);
  if (!repository || error.kind !== 'regression' || known.has(error.id)) continue;
  if (values.only && !values.only.includes(repository.name)) continue;
  const fault = findFault(error, openCheckout(repository, values));
  if (typeof fault !== 'string') appendFileSync(values.out, `${JSON.stringify(fault)}\n`);
  console.log(error.id, typeof fault === 'string' ? fault : fault.command);
}

/** The regression with its command, or the reason why it is none that can be searched. */
function findFault({ id, revision, repository, expect }: LabelledError, checkout: TestCheckout) {
  const { culprit, fix } = expect;
  if (!culprit || !fix) return 'no culprit or fix';
  const paths = checkout
    .git('diff-tree', '-r', '--no-commit-id', '--name-only', '--diff-filter=AM', '-m', '--first-parent', fix)
    .split('\n')
    .filter((path) => isNonSource(path) && /(?:py|go|js)$/.test(path) && /test/.test(path));
  if (paths.length === 0) return 'the fix has no test';
  const tests = { commit: fix, paths: [...new Set(paths)] };
  const failing = runAt(checkout, revision, checkout.repository.suite(paths), { tests });
  const failures = checkout.repository.failures(failing.output).slice(0, MAX_FAILURES);
  if (failures.length === 0) return `no test fails: ${failing.outcome}`;
  const [parent = '', ...others] = checkout.git('rev-parse', `${culprit}^@`).trim().split('\n');
  if (others.length > 0) return 'the culprit is a merge';
  for (const failure of failures) {
    const command = checkout.repository.command(failure);
    const outcomeAt = (commit: string) => runAt(checkout, commit, command, { tests }).outcome;
    if (outcomeAt(parent) !== 'good' || outcomeAt(culprit) !== 'bad') continue;
    if (outcomeAt(revision) !== 'bad' || outcomeAt(fix) !== 'good') continue;
    const good = findGoodRelease(checkout, parent, command, tests);
    return { id, repository, bad: revision, good, culprit, command, tests } satisfies ProofFault;
  }
  return `not between the labelled commits: ${failures.map(({ test }) => test).join(', ')}`;
}
