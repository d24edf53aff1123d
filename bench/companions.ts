import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type CompanionThresholds, findCompanions } from '../src/evolution/companions.ts';
import { isTestFile } from '../src/evolution/covering-tests.ts';
import { BULK_COMMIT_FILES } from '../src/evolution/hotspots.ts';
import { log } from '../src/git/log.ts';
import { resolveHead } from './issue-texts.ts';

/**
 * Replays commits with one of their files left out: how often the check before saving names it among its first three. And with
 * all of their files: how often it names one nevertheless. A commit sees older ones only. See results/companions.md.
 *
 *     node bench/companions.ts [--commits 300] [--together 4] [--share 0.6] [--recent 6] REPOSITORY.git…
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '300' },
    together: { type: 'string' },
    share: { type: 'string' },
    recent: { type: 'string' },
  },
});

const TOP = 3;
const MAX_FILES = 12;
/** A history is read so far back from its head. */
const MAX_HISTORY = 30_000;

const thresholds: CompanionThresholds | undefined =
  values.together && values.share && values.recent
    ? {
        minTogether: Number(values.together),
        minShare: Number(values.share),
        recent: Number(values.recent),
      }
    : undefined;

interface Counts {
  cases: number;
  answered: number;
  named: number;
  right: number;
  complete: number;
  alarms: number;
}

const total: Counts = { cases: 0, answered: 0, named: 0, right: 0, complete: 0, alarms: 0 };
console.log(
  '| repository | files left out | something named | precision@3 | recall | complete changes | with a false name |',
);
console.log('|---|---|---|---|---|---|---|');
for (const repo of positionals) {
  const counts = await replay(repo);
  print(basename(dirname(repo)).replace('+', '/'), counts);
  for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key];
}
print('all', total);

async function replay(repo: string): Promise<Counts> {
  const commits: string[][] = [];
  for await (const { parents, changes, changeCount } of log(repo, {
    from: await resolveHead(repo),
    findRenames: false,
  })) {
    if (commits.length === MAX_HISTORY) break;
    if (parents.length !== 1 || changeCount > BULK_COMMIT_FILES) continue;
    commits.push(changes.filter(({ status }) => status !== 'D').map(({ path }) => path));
  }
  const touching = new Map<string, number[]>();
  for (const [at, paths] of commits.entries()) {
    for (const path of paths) touching.set(path, [...(touching.get(path) ?? []), at]);
  }
  const counts: Counts = { cases: 0, answered: 0, named: 0, right: 0, complete: 0, alarms: 0 };
  const isReplayed = (paths: readonly string[]) => paths.length >= 2 && paths.length <= MAX_FILES;
  // Spread over the newer half, so that no single period decides.
  const newer = commits
    .slice(0, Math.ceil(commits.length / 2))
    .flatMap((paths, at) => (isReplayed(paths) ? [at] : []));
  const step = Math.max(1, Math.floor(newer.length / Number(values.commits)));
  for (const at of newer.filter((_, index) => index % step === 0).slice(0, Number(values.commits))) {
    const history = (path: string) =>
      (touching.get(path) ?? []).filter((commit) => commit > at).map((commit) => commits[commit]!);
    const name = (changed: readonly string[]) =>
      findCompanions({ changed, own: new Set(changed), history, limit: 2 * TOP }, thresholds)
        .map(({ path }) => path)
        .filter((path) => !isTestFile(path))
        .slice(0, TOP);
    const paths = commits[at]!;
    counts.complete++;
    if (name(paths).length > 0) counts.alarms++;
    for (const left of paths.filter((path) => !isTestFile(path))) {
      const named = name(paths.filter((path) => path !== left));
      counts.cases++;
      counts.named += named.length;
      if (named.length > 0) counts.answered++;
      if (named.includes(left)) counts.right++;
    }
  }
  return counts;
}

function print(name: string, { cases, answered, named, right, complete, alarms }: Counts): void {
  const percent = (part: number, of: number) => (of === 0 ? '–' : `${Math.round((100 * part) / of)} %`);
  console.log(
    `| ${name} | ${cases} | ${answered} | ${percent(right, named)} | ${percent(right, cases)} | ${complete} | ${percent(alarms, complete)} |`,
  );
}
