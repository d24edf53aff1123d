import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { compareWithFixes } from '../src/evolution/changed-fixes.ts';
import { type LogCommit, log } from '../src/git/log.ts';
import { resolveHead } from './issue-texts.ts';
import { findRefixed, findReverted, type KnownUndone } from './undone-fix-cases.ts';

/**
 * Replays histories: how many known undone fixes are found, and how many alerts a hundred ordinary commits raise. Known are
 * reverts of fixes by their messages, and fixes whose lines a later "fix again" brought back. See results/undone-fixes.md.
 *
 *     node bench/undone-fixes.ts [--commits 200] [--cases 30] [--show] REPOSITORY.git…
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '200' },
    cases: { type: 'string', default: '30' },
    show: { type: 'boolean', default: false },
  },
});

const totals = { reverts: 0, byMessage: 0, byLines: 0, refixes: 0, refixed: 0, commits: 0, alerts: 0 };
console.log(
  '| repository | reverts of fixes | found | by lines alone | re-fixes | found | commits | alerts | per 100 |',
);
console.log('|---|---|---|---|---|---|---|---|---|');

for (const repo of positionals) {
  const history: LogCommit[] = [];
  const head = await resolveHead(repo);
  for await (const commit of log(repo, { from: head, findRenames: false })) {
    if (commit.parents.length === 1) history.push(commit);
  }
  const max = Number(values.cases);
  const reverts = findReverted(history).slice(0, max);
  const refixes = (await findRefixed(repo, head, history)).slice(0, max);
  const row = {
    reverts: reverts.length,
    byMessage: 0,
    byLines: 0,
    refixes: refixes.length,
    refixed: 0,
    commits: 0,
    alerts: 0,
  };
  for (const one of reverts) {
    if (await isFound(repo, one)) row.byMessage++;
    if (await isFound(repo, { ...one, commit: { ...one.commit, message: '' } })) row.byLines++;
    else if (values.show)
      console.error('  revert missed by lines', one.commit.oid.slice(0, 9), one.fix.slice(0, 9));
  }
  for (const one of refixes) {
    if (await isFound(repo, one)) row.refixed++;
    else if (values.show)
      console.error(
        '  missed',
        one.commit.oid.slice(0, 9),
        one.fix.slice(0, 9),
        one.commit.message.split('\n')[0],
      );
  }
  // Spread over the newer half of the history, so that no single period decides.
  const newer = history.slice(0, Math.ceil(history.length / 2));
  const step = Math.max(1, Math.floor(newer.length / Number(values.commits)));
  for (const commit of newer.filter((_, at) => at % step === 0).slice(0, Number(values.commits))) {
    row.commits++;
    for (const undone of await findUndone(repo, commit)) {
      row.alerts++;
      if (values.show)
        console.error(
          '  alert',
          commit.oid.slice(0, 9),
          commit.message.split('\n')[0],
          '| undoes',
          undone.fix.slice(0, 9),
          undone.fixSubject,
          `| ${undone.path} ${undone.basis} ${undone.removed}/${undone.added}`,
        );
    }
  }
  print(basename(dirname(repo)).replace('+', '/'), row);
  for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += row[key];
}
print('all', totals);

async function findUndone(repo: string, commit: LogCommit) {
  return (await compareWithFixes(commit, { repo, signal: undefined })).undone;
}

async function isFound(repo: string, { commit, fix }: KnownUndone): Promise<boolean> {
  return (await findUndone(repo, commit)).some((one) => one.fix === fix);
}

function print(name: string, row: typeof totals): void {
  const { reverts, byMessage, byLines, refixes, refixed, commits, alerts } = row;
  const per = ((100 * alerts) / Math.max(1, commits)).toFixed(1);
  console.log(
    `| ${name} | ${reverts} | ${byMessage} | ${byLines} | ${refixes} | ${refixed} | ${commits} | ${alerts} | ${per} |`,
  );
}
