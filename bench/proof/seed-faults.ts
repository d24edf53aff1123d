import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../../src/proof/bisection/testing-histories.ts';
import { type ExecutedLines, readRecording } from '../../src/proof/executed-lines/read-lines.ts';
import { prepareRecording, recordingCommand } from '../../src/proof/executed-lines/record-lines.ts';
import type { ProofFault } from './faults.ts';
import { mutateLine } from './mutate-line.ts';
import { type ProofRepository, REPOSITORIES } from './repositories.ts';
import { findGoodRelease, hasPath, openCheckout, runAt, type TestCheckout } from './test-checkout.ts';

/*
 * node bench/proof/seed-faults.ts --repositories DIR --work DIR --out FILE [--dependencies DIR] [--only NAME]… [--count 8] [--seed 1]
 *
 * Finds faults that tests notice: a line of the newest revision is changed, and the commit that wrote the line becomes the culprit.
 * A fault counts if its test passes at the newest revision, at the parent of the culprit and at the last release before it without the
 * change, and fails at the culprit with it. With `--near yes` only lines are tried that the tests of known faults execute.
 */

const { values } = parseArgs({
  options: {
    repositories: { type: 'string', default: '' },
    work: { type: 'string', default: '' },
    out: { type: 'string', default: '' },
    dependencies: { type: 'string', default: '' },
    only: { type: 'string', multiple: true },
    count: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '8' },
    near: { type: 'string' },
  },
});

/** Commits of a history in which culprits lie. */
const MAX_AGE = 1_500;
const MAX_TRIES = 120;
const MAX_TEST_FILES = 3;

for (const repository of REPOSITORIES) {
  if (values.only && !values.only.includes(repository.name)) continue;
  try {
    await (values.near ? seedNearby(repository) : seedRepository(repository));
  } catch (error) {
    console.error(repository.name, error instanceof Error ? error.message : error);
  }
}

/** Faults that an earlier run has found in a repository. */
function readFound(name: string): ProofFault[] {
  if (!existsSync(values.out)) return [];
  const lines = readFileSync(values.out, 'utf8').split('\n').filter(Boolean);
  const faults = lines.map((line) => JSON.parse(line) as ProofFault);
  return faults.filter(({ repository }) => repository === name);
}

/** Tries lines that the tests of known faults execute, with these tests. */
async function seedNearby(repository: ProofRepository): Promise<void> {
  const checkout = openCheckout(repository, values);
  const found = readFound(repository.name);
  const culprits = new Set(found.map(({ culprit }) => culprit));
  const random = createRandom(Number(values.seed));
  const lines = shuffle(listLines(checkout), random);
  const deadline = Date.now() + 60_000 * Number(values.minutes);
  let tries = 0;
  for (const { command, seed } of shuffle(found, random)) {
    if (!seed) continue;
    const executed = await listExecuted(checkout, command);
    for (const line of lines) {
      if (culprits.size >= Number(values.count) || Date.now() > deadline) return;
      if (culprits.has(line.culprit) || !executed.get(line.path)?.has(line.number)) continue;
      const [mutation] = shuffle(mutateLine(line.before, line.path), random);
      if (mutation === undefined) continue;
      tries++;
      const fault = confirmFault({ ...line, after: mutation }, checkout, command);
      if (!fault) continue;
      culprits.add(line.culprit);
      appendFileSync(values.out, `${JSON.stringify(fault)}\n`);
      break;
    }
  }
  console.log(`${repository.name}: ${culprits.size} faults of ${tries} changes`);
}

/** Lines that a command executes at the head, by path. */
async function listExecuted(checkout: TestCheckout, command: string): Promise<ExecutedLines> {
  const place = mkdtempSync(join(tmpdir(), 'hindsight-lines-'));
  await prepareRecording(place);
  runAt(checkout, checkout.head, recordingCommand(command, place));
  const root = realpathSync(checkout.folder);
  const readSource = async (path: string) => readFileSync(join(root, path), 'utf8');
  const executed = await readRecording(place, { root, readSource });
  rmSync(place, { recursive: true });
  // Go names packages by their import path.
  return new Map(
    [...executed].map(([path, lines]) => [
      checkout.repository.language === 'Go' ? basename(path) : path,
      lines,
    ]),
  );
}

function seedRepository(repository: ProofRepository): void {
  const checkout = openCheckout(repository, values);
  const random = createRandom(Number(values.seed));
  const lines = shuffle(listLines(checkout), random);
  const deadline = Date.now() + 60_000 * Number(values.minutes);
  const culprits = new Set(readFound(repository.name).map(({ culprit }) => culprit));
  let tries = 0;
  for (const line of lines) {
    if (culprits.size >= Number(values.count) || tries >= MAX_TRIES || Date.now() > deadline) break;
    if (culprits.has(line.culprit)) continue;
    const [mutation] = shuffle(mutateLine(line.before, line.path), random);
    if (mutation === undefined) continue;
    tries++;
    const fault = tryFault({ ...line, after: mutation }, checkout);
    if (!fault) continue;
    culprits.add(line.culprit);
    appendFileSync(values.out, `${JSON.stringify(fault)}\n`);
  }
  console.log(`${repository.name}: ${culprits.size} faults of ${tries} changes`);
}

interface BlamedSource {
  path: string;
  /** From 1, at the head. */
  number: number;
  before: string;
  culprit: string;
}

/** Lines of the sources at the head that a recent commit wrote, and that are there only once. */
function listLines({ repository, git, head }: TestCheckout): BlamedSource[] {
  const base = git('rev-list', '--first-parent', `--max-count=${MAX_AGE}`, head).trim().split('\n').at(-1)!;
  const paths = git('ls-tree', '-r', '--name-only', head)
    .split('\n')
    .filter((path) => repository.sources.test(path));
  return paths.flatMap((path) => {
    const blamed: BlamedSource[] = [];
    let culprit = '';
    let number = 0;
    let isBoundary = false;
    for (const row of git('blame', '--porcelain', `${base}..${head}`, '--', path).split('\n')) {
      const [, oid, at] = /^([0-9a-f]{40}) \d+ (\d+)/.exec(row) ?? [];
      if (oid !== undefined) {
        isBoundary = oid === culprit && isBoundary;
        culprit = oid;
        number = Number(at);
      } else if (row === 'boundary') isBoundary = true;
      else if (row.startsWith('\t') && !isBoundary)
        blamed.push({ path, number, before: row.slice(1), culprit });
    }
    const counts = new Map<string, number>();
    for (const { before } of blamed) counts.set(before, (counts.get(before) ?? 0) + 1);
    return blamed.filter(({ before }) => counts.get(before) === 1 && mutateLine(before, path).length > 0);
  });
}

function tryFault(seed: BlamedSource & { after: string }, checkout: TestCheckout): ProofFault | null {
  const { git, head, repository } = checkout;
  const { path, culprit } = seed;
  const parents = git('rev-list', '--parents', '-1', culprit).trim().split(' ').slice(1);
  if (parents.length !== 1) return null;
  if (!isInEveryDescendant(seed, checkout)) return null;
  const tests = repository
    .tests(path)
    .filter((test) => [head, parents[0]!].every((commit) => hasPath(checkout, commit, test)))
    .slice(0, MAX_TEST_FILES);
  if (tests.length === 0) return null;
  const noticed = runAt(checkout, head, repository.suite(tests), { seed });
  if (noticed.outcome !== 'bad') return null;
  const [failed] = repository.failures(noticed.output);
  return failed ? confirmFault(seed, checkout, repository.command(failed)) : null;
}

/** The fault, if the command passes before the culprit and without the change, and fails with it. */
function confirmFault(
  seed: BlamedSource & { after: string },
  checkout: TestCheckout,
  command: string,
): ProofFault | null {
  const { git, head, repository } = checkout;
  const { path, before, after, culprit } = seed;
  const parents = git('rev-list', '--parents', '-1', culprit).trim().split(' ').slice(1);
  if (parents.length !== 1 || !isInEveryDescendant(seed, checkout)) return null;
  if (runAt(checkout, head, command, { seed }).outcome !== 'bad') return null;
  // Most faults fall here: the test is younger than the culprit.
  if (runAt(checkout, parents[0]!, command).outcome !== 'good') return null;
  if (runAt(checkout, culprit, command, { seed }).outcome !== 'bad') return null;
  if (runAt(checkout, head, command).outcome !== 'good') return null;
  const good = findGoodRelease(checkout, parents[0]!, command);
  const id = `${repository.name.split('/')[1]}-${culprit.slice(0, 7)}`;
  return {
    id,
    repository: repository.name,
    bad: head,
    good,
    culprit,
    command,
    seed: { path, before, after },
  };
}

/** True when every commit from the culprit on has the line exactly once. */
function isInEveryDescendant(
  { path, before, culprit }: BlamedSource,
  { git, head, folder }: TestCheckout,
): boolean {
  const later = git('rev-list', '--ancestry-path', `${culprit}..${head}`).trim().split('\n').filter(Boolean);
  const ask = (args: string[], lines: readonly string[]) =>
    execFileSync('git', ['cat-file', ...args], {
      cwd: folder,
      input: `${lines.join('\n')}\n`,
      maxBuffer: 2 ** 30,
    });
  const names = [culprit, ...later].map((oid) => `${oid}:${path}`);
  const blobs = [
    ...new Set(ask(['--batch-check=%(objectname) %(objecttype)'], names).toString().trim().split('\n')),
  ];
  if (!blobs.every((blob) => blob.endsWith(' blob'))) return false;
  const oids = blobs.map((blob) => blob.split(' ')[0]!);
  const contents = ask(['--batch=HEADER %(objectname)'], oids)
    .toString('latin1')
    .split(/^HEADER [0-9a-f]{40}$/m)
    .slice(1);
  const wanted = Buffer.from(before).toString('latin1');
  return contents.every((content) => content.split('\n').filter((line) => line === wanted).length === 1);
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
