import { parseArgs } from 'node:util';
import { log } from '../src/git/log.ts';
import { resolveCommit } from '../src/git/refs.ts';
import { git } from '../src/git/run.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { indexRepository } from '../src/memory/testing.ts';
import { findRepository } from './options.ts';
import { readEvidence } from './vectors/evidence.ts';
import { learnFileVectors } from './vectors/learn.ts';
import { timesGram } from './vectors/sparse.ts';

/**
 * Measures how well the built-in embedder predicts co-changes, and the cost of its training:
 *
 *     npm run bench:embedder -- --repositories DIR --names owner/name,… [--commits 300]
 *
 * Each repository is indexed as of so many first parents ago. Of every later commit that changed 2 to 10 files
 * known then, each file in turn is the query for the others: printed is their share among the 10 nearest, for the vectors
 * and for the rows that they shorten (exact inner products, no rounding).
 */
const NEAREST = 10;
const MAX_FILES = 10;

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    names: { type: 'string' },
    commits: { type: 'string', default: '300' },
  },
});
if (!values.repositories || !values.names)
  throw new Error('Give --repositories DIR and --names owner/name,…');

console.log(
  '| repository | files | questions | rows | vectors | seconds of a processor |\n|---|---|---|---|---|---|',
);
for (const name of values.names.split(',')) {
  const repo = findRepository(values.repositories, name);
  const base = await baseOf(repo, Number(values.commits));
  const index = await indexRepository(repo, base);
  const code = index.code!;
  const before = process.cpuUsage();
  const vectors = learnFileVectors(code, index.commits);
  const { user, system } = process.cpuUsage(before);
  const evidence = readEvidence(code, index.commits);
  const exact = (file: number) =>
    timesGram(evidence, new Float32Array(code.fileCount).fill(1, file, file + 1), 1);
  const changes = await laterChanges(repo, base, index);
  const shares = [exact, vectors.similarities].map(
    (similaritiesOf) => `${(100 * recall(changes, similaritiesOf)).toFixed(1)} %`,
  );
  console.log(
    `| ${[name, code.fileCount, changes.flat().length, ...shares, ((user + system) / 1e6).toFixed(1)].join(' | ')} |`,
  );
}

async function baseOf(repo: string, commits: number): Promise<string> {
  const { stdout } = await git(repo, ['rev-list', '--first-parent', '-n', '1', `--skip=${commits}`], {
    name: 'rev-list',
    revisions: ['HEAD'],
  });
  return stdout.toString().trim();
}

/** Indexed files that each commit after `base` changed. */
async function laterChanges(repo: string, base: string, { code }: RepositoryIndex): Promise<number[][]> {
  const changes: number[][] = [];
  const head = await resolveCommit(repo, 'HEAD');
  for await (const commit of log(repo, { from: head!, not: [base] })) {
    const files = commit.changes.map(({ path }) => code!.fileNumber(path)).filter((file) => file >= 0);
    if (files.length >= 2 && files.length <= MAX_FILES) changes.push(files);
  }
  return changes;
}

function recall(changes: number[][], similaritiesOf: (file: number) => Float32Array): number {
  let sum = 0;
  for (const files of changes) {
    for (const file of files) {
      const similarities = similaritiesOf(file);
      similarities[file] = Number.NEGATIVE_INFINITY;
      const threshold = similarities.toSorted().at(-NEAREST)!;
      const others = files.filter((other) => other !== file);
      sum += others.filter((other) => similarities[other]! >= threshold).length / others.length;
    }
  }
  return sum / changes.flat().length;
}
