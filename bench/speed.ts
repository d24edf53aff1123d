import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveCommit } from '../src/git/refs.ts';
import { startSpawner } from '../src/git/spawner.ts';
import { listTree } from '../src/git/tree.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { findRepository } from './options.ts';
import { answersRow } from './speed-answers.ts';
import { exactRows } from './speed-exact.ts';
import { bytesIn, newFolder } from './speed-folder.ts';
import { type Cost, costOf, growthRows } from './speed-growth.ts';
import {
  type Built,
  build,
  buildRows,
  commitsRow,
  refreshRows,
  sizeRows,
  wordsRow,
} from './speed-reading.ts';
import { type Row, type Subject, tableOf } from './speed-row.ts';
import { longRows, shortRows } from './speed-searching.ts';
import { servedRows } from './speed-served.ts';
import { vectorRows } from './speed-vectors.ts';
import { webRow } from './speed-web.ts';

/**
 * Measures speed and size, compared with rivals in the same run:
 *
 *     npm ci --prefix bench       once, for the rivals that are packages; the others are measured where installed
 *     npm run bench:speed -- --repositories DIR [--names git/git,fastify/fastify] [--only commits,exact]
 *         [--rounds 3] [--queries 100] [--out FILE]
 *
 * Times are the least of several rounds, medians and 95th percentiles are over queries. Repositories are only read.
 */
const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    names: { type: 'string', default: 'git/git,fastify/fastify' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    queries: { type: 'string', default: '100' },
    out: { type: 'string' },
  },
});
if (!values.repositories) throw new Error('Give --repositories DIR: a folder of bare repositories.');

/** For `growth`, which sets one repository beside another. */
const costs: Cost[] = [];

/** An index built for the rows that need one. */
interface BuiltIndex {
  built: Built;
  directory: string;
  index: RepositoryIndex;
}

const ROWS: Record<string, (subject: Subject, buildIndexOnce: () => Promise<BuiltIndex>) => Promise<Row[]>> =
  {
    commits: async (subject) => [await commitsRow(subject)],
    words: async (subject) => [await wordsRow(subject)],
    build: async (subject, openBuiltIndex) => buildRows(subject, (await openBuiltIndex()).built),
    refresh: async (subject, openBuiltIndex) => {
      const { built, directory } = await openBuiltIndex();
      return await refreshRows(subject, built, directory);
    },
    size: async (subject, openBuiltIndex) =>
      sizeRows(subject, await sizesOf(subject, await openBuiltIndex())),
    long: async (subject, openBuiltIndex) => longRows(subject, (await openBuiltIndex()).index),
    short: async (subject, openBuiltIndex) => shortRows(subject, (await openBuiltIndex()).index),
    vectors: vectorRows,
    exact: async (subject, openBuiltIndex) => exactRows(subject, (await openBuiltIndex()).index),
    answers: async (subject, openBuiltIndex) => [await answersRow(subject, (await openBuiltIndex()).index)],
    growth: async (subject, openBuiltIndex) => {
      const { built, index } = await openBuiltIndex();
      costs.push(await costOf(subject, built, index));
      return [];
    },
    web: async () => [webRow()],
    served: async (subject, openBuiltIndex) => servedRows(subject, (await openBuiltIndex()).index),
  };
const chosen = values.only?.split(',') ?? Object.keys(ROWS);
const unknown = chosen.find((name) => !(name in ROWS));
if (unknown) throw new Error(`--only knows ${Object.keys(ROWS).join(', ')}, not ${unknown}.`);

// As in a server: what starts programs must not be as large as what searches.
const spawner = await startSpawner();
const folder = mkdtempSync(join(tmpdir(), 'hindsight-speed-'));
try {
  const rows: Row[] = [];
  for (const name of values.names.split(',')) rows.push(...(await measure(name)));
  rows.push(...growthRows(costs));
  const report = `# Speed and size\n\n${machine()}\n\n    ${command()}\n\n${tableOf(rows)}\n`;
  console.log(report);
  if (values.out) writeFileSync(values.out, report);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await spawner.close();
}

async function measure(name: string): Promise<Row[]> {
  const repo = findRepository(values.repositories!, name);
  const head = await resolveCommit(repo, 'HEAD');
  if (head === null) throw new Error(`${name} has no commit.`);
  const own = await newFolder({ folder }, name.replace('/', '+'));
  const subject = {
    name,
    repo,
    head,
    folder: own,
    rounds: Number(values.rounds),
    queries: Number(values.queries),
  };
  let once: Promise<BuiltIndex> | undefined;
  const rows: Row[] = [];
  for (const row of chosen) {
    // No repository has a part in it.
    if ((row === 'vectors' || row === 'web') && !values.names.startsWith(name)) continue;
    console.error(`${name}: ${row}`);
    const measured = await ROWS[row]!(subject, () => (once ??= indexSubject(subject)));
    for (const { what, ours, rival } of measured) console.error(`  ${what}: ${ours}; ${rival}`);
    rows.push(...measured);
  }
  return rows;
}

async function indexSubject(subject: Subject): Promise<BuiltIndex> {
  const directory = await newFolder(subject, 'shard');
  const built = await build(subject, directory);
  return { built, directory, index: openIndex(await readGeneration(directory, built.generation)) };
}

/** Bytes of the indexed files, of their index on disk, and of the memory in use. */
async function sizesOf({ repo, head }: Subject, { built, directory, index }: BuiltIndex) {
  const code = index.code!;
  let source = 0;
  for await (const { path, size } of listTree(repo, head)) {
    if (path !== null && code.fileNumber(path) !== -1) source += size ?? 0;
  }
  const isText = (file: string) => file.endsWith('.texts');
  const isCode = (file: string) => (file.startsWith('code') && !isText(file)) || file === 'files';
  const folder = join(directory, built.generation);
  return { source, code: bytesIn(folder, isCode), texts: bytesIn(folder, isText), memory: index.bytes };
}

function machine(): string {
  const [load = 0] = loadavg();
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${cpu?.model ?? 'unknown'}), ${gigabytes} GB, Node ${process.versions.node}; load at the end ${load.toFixed(1)}.`;
}

function command(): string {
  const { rounds, queries, only, names } = values;
  return `npm run bench:speed -- --repositories DIR --names ${names}${only ? ` --only ${only}` : ''} --rounds ${rounds} --queries ${queries}`;
}
