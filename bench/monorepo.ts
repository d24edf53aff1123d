import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveCommit } from '../src/git/refs.ts';
import { startSpawner } from '../src/git/spawner.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import { generateRepository } from './generated-repository.ts';
import { newFolder } from './speed-folder.ts';
import { type Cost, costOf, growthExponent } from './speed-growth.ts';
import { type Built, build, refreshTimes } from './speed-reading.ts';

/*
 * node bench/monorepo.ts [files] [commits] [sizes]
 *
 * Generates repositories of growing size, each twice the one before, up to so many files and commits; builds an index of each,
 * refreshes it and searches. Prints the exponents by which time grows with size. Writes bench/results/monorepo.md.
 */
const [FILES = 50_000, COMMITS = 200_000, SIZES = 6] = process.argv.slice(2).map(Number);
const QUERIES = 50;
const MAX_EXPONENT = 1.1;
const RESULTS = join(import.meta.dirname, 'results/monorepo.md');

interface Measured {
  files: number;
  commits: number;
  generateMs: number;
  built: Built;
  refreshMs: number;
  cost: Cost;
}

const folder = await mkdtemp(join(tmpdir(), 'hindsight-monorepo-'));
const spawner = await startSpawner();
const measured: Measured[] = [];
try {
  for (let size = SIZES - 1; size >= 0; size--) {
    const share = 2 ** size;
    measured.push(await measure(Math.round(FILES / share), Math.round(COMMITS / share)));
    console.error(JSON.stringify(measured.at(-1)));
    await writeFile(RESULTS, formatReport());
  }
  console.log(formatReport());
} finally {
  await rm(folder, { recursive: true, force: true });
  await spawner.close();
}

async function measure(files: number, commits: number): Promise<Measured> {
  const own = await newFolder({ folder }, `${files}`);
  const repo = join(own, 'repo.git');
  const started = performance.now();
  await generateRepository(repo, { files, commits });
  const generateMs = performance.now() - started;
  const head = await resolveCommit(repo, 'HEAD');
  const subject = { name: `${files} files`, repo, head: head!, folder: own, rounds: 1, queries: QUERIES };
  const directory = await newFolder(subject, 'index');
  const built = await build(subject, directory);
  const index = openIndex(await readGeneration(directory, built.generation));
  const cost = await costOf(subject, built, index);
  const [, refreshMs = Number.NaN] = await refreshTimes(subject, built, directory);
  await rm(own, { recursive: true, force: true });
  return { files, commits, generateMs, built, refreshMs, cost };
}

function formatReport(): string {
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const rows = measured.map(({ files, commits, generateMs, built, refreshMs, cost }) => [
    ...[files, commits, cost.passages].map(number),
    ...[generateMs, built.ms, built.processor].map((ms) => `${(ms / 1_000).toFixed(1)} s`),
    `${number(built.bytes / 1e6)} MB`,
    `${number(refreshMs)} ms`,
    `${cost.search.toFixed(2)} ms`,
  ]);
  const sizes = measured.map(({ cost }) => cost.passages + cost.commits);
  const exponent = (read: (one: Measured) => number) => growthExponent(sizes, measured.map(read)).toFixed(2);
  const head =
    'files,commits,passages,fast-import,clone to searchable,of it processor without git,memory over idle,refresh of 10 files,search p95';
  return `# A generated monorepo

\`node bench/monorepo.ts ${FILES} ${COMMITS} ${SIZES}\` · ${new Date().toISOString().slice(0, 10)} · ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}

${[head.split(','), head.split(',').map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Exponents of growth with passages and commits (goal ≤ ${MAX_EXPONENT}): processor of the build ${exponent(({ built }) => built.processor)}, time of the
build ${exponent(({ built }) => built.ms)}, memory ${exponent(({ built }) => built.bytes)}, refresh ${exponent(({ refreshMs }) => refreshMs)}, search ${exponent(({ cost }) => cost.search)}.
`;
}
