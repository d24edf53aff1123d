import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DefinitionChange, traceDefinition } from '../src/evolution/definition-history.ts';
import { lastName, listDefinitionVersions } from '../src/evolution/definition-versions.ts';
import { collectCommits } from '../src/evolution/testing-history.ts';
import { readFileAt } from '../src/git/file-at.ts';
import { log } from '../src/git/log.ts';
import { findRepository } from './options.ts';

/**
 * Compares the histories of methods with the oracle of CodeTracker, by commits:
 *
 *     node bench/method-history.ts --oracle GIT_FOLDER --repositories DIR --set training|test [--misses]
 *
 * Outside the oracle's scope are changes of blanks alone and of the comment above a method alone, which the product lists
 * and labels: precision is given with and without them.
 */
interface OracleRow {
  repositoryWebURL: string;
  startCommitId: string;
  filePath: string;
  functionName: string;
  functionStartLine: number;
  expectedChanges: { commitId: string; changeType: string }[];
}

const MAX_CHANGES = 1_000;
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { oracle: text, repositories: text, set: text, misses: { type: 'boolean' } },
});
const { oracle, repositories, set } = values;
if (!oracle || !repositories || !set) throw new Error('Give --oracle, --repositories and --set.');

const git = (...args: string[]) =>
  execFileSync('git', ['-C', oracle, ...args], { maxBuffer: 2 ** 28 }).toString();
const folder = `src/main/resources/oracle/method/${set}`;
const rows = git('ls-tree', '-r', '--name-only', 'HEAD', folder)
  .trim()
  .split('\n')
  .map((file) => JSON.parse(git('show', `HEAD:${file}`)) as OracleRow);

const totals = new Map<string, Score>();
const times: number[] = [];
for (const [group, methods] of Map.groupBy(rows, (row) => `${row.repositoryWebURL} ${row.startCommitId}`)) {
  const [url = '', start = ''] = group.split(' ');
  const name = url.replace(/^https:\/\/github\.com\/|\.git$/g, '');
  if (!existsSync(join(repositories, name.replace('/', '+')))) continue;
  const repo = findRepository(repositories, name);
  const commits = await collectCommits(log(repo, { from: start }));
  for (const row of methods) {
    const source = (await readFileAt(repo, start, row.filePath)) ?? '';
    const method = (await listDefinitionVersions(row.filePath, source)).findLast(
      (one) =>
        lastName(one.name) === row.functionName &&
        one.start <= row.functionStartLine &&
        one.end >= row.functionStartLine,
    );
    if (!method) throw new Error(`${row.functionName} is not at line ${row.functionStartLine}.`);
    const begin = performance.now();
    const traced = await traceDefinition({
      ...{ repo, commits, path: row.filePath, text: source, maxChanges: MAX_CHANGES },
      ...{ name: method.name, start: method.start, end: method.end },
    });
    times.push(performance.now() - begin);
    const ours = new Map(traced!.changes.map((change) => [commits.oid(change.commit), change]));
    addScore(name, compare(row, ours));
  }
}
printTable();
process.exit(0);

interface Score {
  methods: number;
  expected: number;
  found: number;
  listed: number;
  inScope: number;
}

function compare(row: OracleRow, ours: Map<string, DefinitionChange>): Score {
  const expected = Map.groupBy(row.expectedChanges, ({ commitId }) => commitId);
  const found = [...expected.keys()].filter((oid) => ours.has(oid));
  const listed = [...ours].filter(([oid, change]) => expected.has(oid) || isInScope(change));
  if (values.misses) {
    for (const [oid, changes] of expected)
      if (!ours.has(oid))
        console.log(`${row.functionName} missed ${oid}: ${changes.map(({ changeType }) => changeType)}`);
    for (const [oid] of listed) if (!expected.has(oid)) console.log(`${row.functionName} extra ${oid}`);
  }
  return {
    ...{ methods: 1, expected: expected.size, found: found.length },
    ...{ listed: ours.size, inScope: listed.length },
  };
}

/** False where blanks alone or the comment above the method alone changed. */
function isInScope({ before, after, movedFrom }: DefinitionChange): boolean {
  const compact = (code: string) => code.replaceAll(/\s+/g, '');
  return before === null || movedFrom !== null || compact(before.code) !== compact(after.code);
}

function addScore(name: string, score: Score): void {
  for (const key of [name, 'all']) {
    const sum = totals.get(key) ?? { methods: 0, expected: 0, found: 0, listed: 0, inScope: 0 };
    for (const field of Object.keys(sum) as (keyof Score)[]) sum[field] += score[field];
    totals.set(key, sum);
  }
}

function printTable(): void {
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  console.log(
    '| repository | methods | commits of the oracle | found | precision in scope | precision of all |',
  );
  console.log('|---|--:|--:|--:|--:|--:|');
  const all = totals.get('all');
  if (!all) throw new Error(`No repository of the oracle is in ${repositories}.`);
  totals.delete('all');
  for (const [name, { methods, expected, found, listed, inScope }] of [...totals, ['all', all] as const])
    console.log(
      `| ${name} | ${methods} | ${expected} | ${found} (${share(found, expected)}) | ${share(found, inScope)} | ${share(found, listed)} |`,
    );
  times.sort((a, b) => a - b);
  const at = (part: number) => `${times[Math.floor(part * (times.length - 1))]!.toFixed(0)} ms`;
  console.log(`\n${at(0.5)} a method at the median, ${at(0.95)} at p95.`);
}
