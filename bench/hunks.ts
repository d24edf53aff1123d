// npm run bench:hunks -- --repositories DIR [--only owner/name,…] [--out FILE]    the changes of whole histories: built, stored and searched, beside git
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveCommit } from '../src/git/refs.ts';
import { type ChangeIndex, openChangeIndex } from '../src/memory/changes/change-index.ts';
import { buildIndex } from '../src/memory/index/build-index.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { findChanges } from '../src/search/changes/find-changes.ts';
import { locateHunk, rankHunks } from '../src/search/changes/search-hunks.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { findRepository } from './options.ts';
import { mb, ms, type Row, tableOf } from './speed-row.ts';
import { percentile, timeEach, timeOnce } from './speed-timing.ts';

const QUERIES = 200;
const ROUNDS = 3;
/** Exact searches, each measured once: a second one finds its patches in the cache. */
const EXACT = 60;
/** Lines that are also looked for by `git log -S`, which takes seconds to minutes each. */
const PICKAXE = 3;
const BUILD = new URL('./hunks-build.ts', import.meta.url).pathname;

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { repositories: text, only: text, out: text } });
if (!values.repositories) throw new Error('Give --repositories DIR: a folder of bare repositories.');
const names = values.only?.split(',') ?? ['git/git', 'fastify/fastify'];
const rows: Row[] = [];
for (const name of names) rows.push(...(await measure(name, findRepository(values.repositories, name))));
const table = tableOf(rows);
console.log(table);
if (values.out) {
  const command = `npm run bench:hunks -- --repositories DIR --only ${names.join(',')} --out FILE`;
  writeFileSync(values.out, `# The changes of whole histories\n\n\`${command}\`\n\n${table}\n`);
}

async function measure(name: string, repo: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-bench-'));
  try {
    const head = (await resolveCommit(repo, 'HEAD'))!;
    const directory = join(folder, 'hunks');
    const built = measureBuild(name, repo, head, directory);
    const hunks = openChangeIndex(directory)!;
    const index = await buildCommitIndex(repo, head, join(folder, 'shard'));
    return [...built, ...(await measureSearch(name, repo, hunks, index))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Wall and processor seconds of a command with all its children, and what it printed (for git: how many bytes). */
function run(command: string, args: string[]): { wallS: number; cpuS: number; printed: string } {
  const start = performance.now();
  const { stdout, status } = spawnSync('sh', ['-c', `${command}; times`, 'sh', ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  const lines = stdout.trim().split('\n');
  const cpuS = [...lines.at(-1)!.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  );
  return { wallS: (performance.now() - start) / 1000, cpuS, printed: lines[0]! };
}

function measureBuild(repository: string, repo: string, head: string, directory: string): Row[] {
  const log = run('git -C "$1" log -p "$2" | wc -c', [repo, head]);
  const build = run('"$1" "$2" "$3" "$4" "$5"', [process.execPath, BUILD, repo, head, directory]);
  const own = JSON.parse(build.printed) as { ms: number; cpuMs: number; bytes: number };
  const { bytes } = openChangeIndex(directory)!;
  const row = (what: string, ours: string, rival: string, ratio: number, goal: number): Row => ({
    what,
    repository,
    ours,
    rival,
    ratio,
    goal: `≤ ${goal}`,
    met: ratio <= goal,
  });
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const gitS = build.cpuS - own.cpuMs / 1000;
  const logBytes = Number(log.printed);
  return [
    row('build, wall / `git log -p`', seconds(build.wallS), seconds(log.wallS), build.wallS / log.wallS, 1.2),
    // With two processors git and the reader work side by side: the slower one is what a quiet machine waits for.
    row(
      'build, the busier process / `git log -p`, processor',
      seconds(Math.max(gitS, own.cpuMs / 1000)),
      seconds(log.cpuS),
      Math.max(gitS, own.cpuMs / 1000) / log.cpuS,
      1.2,
    ),
    row('on disk / bytes of `git log -p`', mb(bytes), mb(logBytes), bytes / logBytes, 0.25),
    row('memory of the reader over idle / 350 MB', mb(own.bytes), '350 MB', own.bytes / 350e6, 1),
  ];
}

/** The commits of a history without its code, which is not needed here. */
async function buildCommitIndex(repo: string, revision: string, directory: string): Promise<RepositoryIndex> {
  mkdirSync(directory);
  let generation = '';
  await buildIndex({
    repo,
    revision,
    directory,
    previous: null,
    limits: { maxFileBytes: 1, maxEntries: 0 },
    onProgress: () => {},
    onGeneration: async ({ name }) => {
      generation = name;
    },
    signal: new AbortController().signal,
  });
  return openIndex(await readGeneration(directory, generation));
}

async function measureSearch(
  repository: string,
  repo: string,
  hunks: ChangeIndex,
  index: RepositoryIndex,
): Promise<Row[]> {
  const { commits } = index;
  const spread = (count: number) =>
    Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * commits.count) / count));
  const subjects = spread(QUERIES).map((commit) => commits.subject(commit));
  const accepts = (oid: string) => commits.find(oid) >= 0;
  const ranked = await timeEach(subjects, ROUNDS, (q) =>
    rankHunks(hunks, parseQuery(q).terms, { limit: 20, maxPerCommit: 1, acceptsCommit: accepts }).map(
      locateHunk,
    ),
  );
  const shown = await timeEach(subjects.slice(0, 40), 1, (q) =>
    findChanges({ repo, index, hunks, q, match: 'words', limit: 20 }),
  );
  const lines = addedLines(repo, spread(QUERIES).map(commits.oid));
  const sample = lines.filter((_, i) => (i * EXACT) % lines.length < EXACT);
  const exact = await timeOnce(sample, (q) =>
    findChanges({ repo, index, hunks, q, match: 'exact', limit: 10 }),
  );
  const row = (what: string, times: number[], rivalMs: number): Row => ({
    what,
    repository,
    ours: `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.95))}`,
    rival: ms(rivalMs),
    ratio: percentile(times, 0.95) / rivalMs,
    goal: 'p95 ≤ 20 ms',
    met: percentile(times, 0.95) <= 20,
  });
  const { agreed, pickaxeMs } = await comparePickaxe(repo, index, hunks, lines);
  return [
    row(`ranked by words, p50 / p95 of ${subjects.length} (\`git log -S\`)`, ranked, pickaxeMs),
    row('the same with the lines of 20 changes', shown, pickaxeMs),
    row(
      `exact text, each change checked against its patch, processor of ${sample.length}`,
      exact.processor,
      pickaxeMs,
    ),
    {
      what: 'first appearance of a line as `git log -S` has it',
      repository,
      ours: `${agreed} of ${Math.min(PICKAXE, lines.length)}`,
      rival: '–',
      ratio: null,
      goal: 'all',
      met: agreed === Math.min(PICKAXE, lines.length),
    },
  ];
}

/** One informative added line of each commit that has one. */
function addedLines(repo: string, oids: string[]): string[] {
  const args = ['-C', repo, 'diff-tree', '--stdin', '-p', '-U0', '-r', '-M', '--root'];
  const patches = execFileSync('git', args, { input: `${oids.join('\n')}\n`, maxBuffer: 2 ** 30 }).toString();
  return patches.split(/^[0-9a-f]{40}$/m).flatMap((patch) => {
    const line = patch.match(/^\+(?!\+\+).*\b\w{5,}\b.*\b\w{5,}\b.*$/m)?.[0];
    return line && line.length < 200 ? [line.slice(1).trim()] : [];
  });
}

async function comparePickaxe(repo: string, index: RepositoryIndex, hunks: ChangeIndex, lines: string[]) {
  const times: number[] = [];
  let agreed = 0;
  for (const q of lines.slice(0, PICKAXE)) {
    const start = performance.now();
    const args = ['-C', repo, 'log', '--no-merges', '-M', '--format=%H', `-S${q}`, index.revision];
    const theirs = execFileSync('git', args).toString().trim().split('\n');
    times.push(performance.now() - start);
    const { firstAdded: first } = await findChanges({ repo, index, hunks, q, match: 'exact', limit: 1 });
    if (first && theirs.at(-1) === index.commits.oid(first.commit)) agreed++;
  }
  return { agreed, pickaxeMs: percentile(times, 0.5) };
}
