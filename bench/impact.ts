import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findImpact } from '../src/assistant/tools/find-impact.ts';
import { isFix, isNonSource } from '../src/evolution/fixes.ts';
import { type LogCommit, log } from '../src/git/log.ts';
import { buildIndex } from '../src/memory/index/build-index.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import { resolveHead } from './issue-texts.ts';

/**
 * Measures `impact` against what later fixes changed together: a repository is indexed at a past commit, and each later fix of
 * several source files is asked for the impact of one of them. See results/impact.md.
 *
 *     node bench/impact.ts [--back 1000] [--fixes 60] REPOSITORY.git…
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { back: { type: 'string', default: '1000' }, fixes: { type: 'string', default: '60' } },
});

/** Wider fixes are sweeps. */
const MAX_FILES = 12;

interface Counts {
  fixes: number;
  asked: number;
  others: number;
  callers: number;
  tests: number;
  changesWith: number;
  any: number;
  named: number;
  right: number;
}

const empty = (): Counts => ({
  ...{ fixes: 0, asked: 0, others: 0, callers: 0, tests: 0, changesWith: 0, any: 0, named: 0, right: 0 },
});
const sourcesOf = ({ changes }: LogCommit) =>
  changes.map(({ path }) => path).filter((path) => !isNonSource(path));

const total = empty();
console.log(
  '| repository | fixes | files asked | other files | by callers | by tests | by changes with | by any | named files that the fix changed |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const repo of positionals) {
  const counts = await replay(repo);
  print(basename(dirname(repo)).replace('+', '/'), counts);
  for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key];
}
print('all', total);

async function replay(repo: string): Promise<Counts> {
  const newer: LogCommit[] = [];
  let revision = '';
  for await (const commit of log(repo, { from: await resolveHead(repo), findRenames: false })) {
    revision = commit.oid;
    if (newer.length === Number(values.back)) break;
    if (commit.parents.length === 1) newer.push(commit);
  }
  const directory = await mkdtemp(join(tmpdir(), 'hindsight-impact-'));
  try {
    return await measure(repo, { revision, directory, fixes: newer.toReversed().filter(isSourceFix) });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function isSourceFix(commit: LogCommit): boolean {
  const paths = commit.changes.map(({ path }) => path);
  return paths.length >= 2 && paths.length <= MAX_FILES && isFix(commit.message, paths);
}

async function measure(
  repo: string,
  { revision, directory, fixes }: { revision: string; directory: string; fixes: LogCommit[] },
): Promise<Counts> {
  const { signal } = new AbortController();
  let generation = '';
  await buildIndex({
    ...{ repo, revision, directory, previous: null, signal, onProgress: () => {} },
    limits: { maxFileBytes: 2 ** 20, maxEntries: 2_000_000 },
    onGeneration: async ({ name }) => {
      generation = name;
    },
  });
  const index = openIndex(await readGeneration(directory, generation));
  const isKnown = (path: string) => (index.code?.fileNumber(path) ?? -1) >= 0;
  const counts = empty();
  for (const fix of fixes.slice(0, Number(values.fixes))) {
    const changed = fix.changes.map(({ path }) => path).filter(isKnown);
    const asked = sourcesOf(fix).filter(isKnown);
    if (changed.length < 2 || asked.length === 0) continue;
    counts.fixes++;
    for (const path of asked) {
      const impact = await findImpact({ kind: 'path', name: path }, { repo, index, signal });
      const callers = new Set(impact.callers.map((one) => one.path));
      const tests = new Set(impact.tests.map((one) => one.path));
      const changesWith = new Set(impact.changes_with.map((one) => one.path));
      const named = new Set([...callers, ...tests, ...changesWith]);
      const others = changed.filter((other) => other !== path);
      const count = (of: ReadonlySet<string>) => others.filter((other) => of.has(other)).length;
      counts.asked++;
      counts.others += others.length;
      counts.callers += count(callers);
      counts.tests += count(tests);
      counts.changesWith += count(changesWith);
      counts.any += count(named);
      counts.named += named.size;
      counts.right += count(named);
    }
  }
  return counts;
}

function print(name: string, counts: Counts): void {
  const { fixes, asked, others, callers, tests, changesWith, any, named, right } = counts;
  const percent = (part: number, of: number) => (of === 0 ? '–' : `${Math.round((100 * part) / of)} %`);
  const shares = [callers, tests, changesWith, any].map((part) => percent(part, others)).join(' | ');
  console.log(`| ${name} | ${fixes} | ${asked} | ${others} | ${shares} | ${percent(right, named)} |`);
}
