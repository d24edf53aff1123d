import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { showCommit } from '../src/git/diff.ts';
import { log } from '../src/git/log.ts';
import { reviewChange } from '../src/investigate/history/review-change.ts';
import { buildIndex } from '../src/memory/index/build-index.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import { resolveHead } from './issue-texts.ts';
import { percentile } from './speed-timing.ts';

/**
 * Times the check of a change before it is saved, on the newest commits of a repository as changes of their parents.
 *
 *     node bench/change-check.ts [--commits 100] REPOSITORY.git…
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: 'string', default: '100' } },
});

const MAX_FILES = 12;
const signal = new AbortController().signal;

console.log(
  '| repository | commits | files | changes | p50 ms | p95 ms | max ms |\n|---|---|---|---|---|---|---|',
);
for (const repo of positionals) {
  const directory = await mkdtemp(join(tmpdir(), 'hindsight-check-'));
  try {
    await measure(repo, directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(repo: string, directory: string): Promise<void> {
  const revision = await resolveHead(repo);
  let generation = '';
  await buildIndex({
    ...{ repo, revision, directory, previous: null, signal, onProgress: () => {} },
    limits: { maxFileBytes: 2 ** 20, maxEntries: 2_000_000 },
    onGeneration: async ({ name }) => {
      generation = name;
    },
  });
  const index = openIndex(await readGeneration(directory, generation));
  const times: number[] = [];
  for await (const { oid, parents, changeCount, time } of log(repo, { from: revision, findRenames: false })) {
    if (times.length > Number(values.commits)) break;
    const [before] = parents;
    if (!before || parents.length > 1 || changeCount > MAX_FILES) continue;
    const started = performance.now();
    const files = await showCommit(repo, oid, { context: 0, ignoreWhitespace: true, signal });
    await reviewChange({ repo, index, before, files, self: [], now: time, signal });
    times.push(performance.now() - started);
  }
  // The first one loads what the others share.
  const [, ...measured] = times;
  const shown = [0.5, 0.95, 1].map((share) => percentile(measured, share).toFixed(0)).join(' | ');
  const name = basename(dirname(repo)).replace('+', '/');
  console.log(
    `| ${name} | ${index.commits.count} | ${index.code?.fileCount} | ${measured.length} | ${shown} |`,
  );
}
