import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOrInstallBubblewrap } from './bubblewrap.mjs';
import { completeInstall } from './complete-install.mjs';
import { exitCode, spawnNode24 } from './node24.mjs';
import { findOrInstallOldPostgres } from './old-postgres.mjs';
import { findOrInstallSshd } from './sshd.mjs';

/**
 * A step runs and says how many things passed and failed: a type check or lint run is one thing, a test run as
 * many as it has tests. What failed is named again at the end, since the middle of a long log is seldom kept.
 *
 * @typedef {{ passed: number, failed: number, failures?: string[], leftOut?: string[], late?: string[] }} Count
 * @typedef {{ name: string, run: (output: Output) => Promise<Count> }} Step
 *
 * Steps run one after the other in a lane; lanes of a stage run side by side.
 * @typedef {Step[]} Lane
 * @typedef {Lane[]} Stage
 */

/** @returns {Step} A program that passes by ending with 0. */
export function program(name, args) {
  return { name, run: async (output) => oneOf((await output.run(args)) === 0) };
}

/** Time for the rest of the output of a program that has ended, and between two signs of life of one that runs. */
const [REST_MS, HEARTBEAT_MS] = [2_000, 120_000];

/** Every file of tests starts processes and threads of the same programs, which are compiled once for all steps. */
const compiled = mkdtempSync(join(tmpdir(), 'hindsight-compiled-'));
process.once('exit', () => {
  try {
    rmSync(compiled, { recursive: true, maxRetries: 5, retryDelay: 200 });
  } catch {
    // A process that is just ending may still be writing there: no fault of a test.
  }
});

/** Files that get a second try. More than these do not fail by chance. */
const MAX_SECOND_TRIES = 5;

/**
 * @returns {Step} A run of vitest; a file that could not even be loaded counts as one failure. In CI, on a machine that others use
 * as well, files with a failure run once more by themselves: a test of a journey starts where the one before it ended, so that
 * vitest's own retry of a single test does not help it. Never where one of many random cases failed: others would be drawn.
 */
export function vitest(name, args, settings = {}) {
  return {
    name,
    run: async (output) => {
      const first = await runTests(output, args, settings);
      const failed = first.testResults.filter(({ status }) => status === 'failed');
      const isByChance = failed.length <= MAX_SECOND_TRIES && !failed.some(hasFailedProperty);
      if (!process.env.CI || failed.length === 0 || !isByChance) return countTests(first);
      const files = failed.map((result) => relative(process.cwd(), result.name));
      output.write(`\n── ${name}: a second try of ${files.join(', ')}\n`);
      return mergeTries(first, await runTests(output, [...args, ...files], settings));
    },
  };
}

/**
 * @typedef {{ code: number, testResults: object[] }} Results Exit code and one entry per file, as vitest's JSON reporter writes it; no
 * entries where the run ended before it.
 * @returns {Promise<Results>}
 */
async function runTests(output, args, settings) {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-results-'));
  const file = join(folder, 'results.json');
  const env = { NODE_COMPILE_CACHE: compiled, ...settings };
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await output.run(['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters], { env });
  try {
    return { code, testResults: JSON.parse(readFileSync(file, 'utf8')).testResults };
  } catch {
    return { code: code || 1, testResults: [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns {Count} */
export function oneOf(passed) {
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** @returns {Count} */
function countTests({ code, testResults }) {
  const failures = testResults.flatMap(failuresOf);
  if (code !== 0 && failures.length === 0) failures.push(`the run ended with code ${code}, see above`);
  const passed = testResults.flatMap(({ assertionResults }) => assertionResults).filter(isPassed).length;
  const [leftOut, late] = [testResults.flatMap(leftOutOf), testResults.flatMap(lateOf)];
  return { passed, failed: failures.length, failures, leftOut, late };
}

/** @returns {Count} What the second try says of its files, the first one of all others. */
function mergeTries(first, second) {
  const again = new Set(second.testResults.map(({ name }) => name));
  const kept = first.testResults.filter(({ name }) => !again.has(name));
  const count = countTests({ code: second.code, testResults: [...kept, ...second.testResults] });
  const repaired = second.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name);
  const late = first.testResults.filter(({ name }) => repaired.includes(name)).flatMap(failuresOf);
  return {
    ...count,
    late: [...count.late, ...late.map((failure) => `passed at the second try: ${failure}`)],
  };
}

const isPassed = ({ status }) => status === 'passed';

const hasFailedProperty = (result) =>
  failuresOf(result).some((failure) => failure.includes('Property failed'));

/** @returns {string[]} The failed tests of a file with the beginning of what each said, or the file where it failed outside them. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [beginning(`${file}: ${message}`)];
  return failed.map((test) => beginning(`${file}: ${test.fullName}\n${test.failureMessages.join('\n')}`));
}

/** @returns {string[]} Tests that this machine cannot run. They count as nothing, so they are named. */
function leftOutOf({ name, assertionResults }) {
  const left = assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed');
  return left.map(({ fullName }) => `${relative(process.cwd(), name)}: ${fullName}`);
}

/** @returns {string[]} Tests that passed only at the second try, with what the first one said: each is a fault to be found. */
function lateOf({ name, assertionResults }) {
  const late = assertionResults.filter((test) => test.status === 'passed' && test.failureMessages.length > 0);
  const file = relative(process.cwd(), name);
  return late.map(({ fullName, failureMessages: [first] }) =>
    beginning(`passed at the second try: ${file}: ${fullName}\n${first}`),
  );
}

function beginning(text) {
  return text.split('\n').slice(0, 12).join('\n');
}

/**
 * Output of a step: of the only one at a time as it comes, otherwise all at once when the step ends.
 *
 * @typedef {{ run: (args: string[], options?: object) => Promise<number>, write: (text: string) => void, end: () => void }} Output
 * @returns {Output}
 */
function openOutput(isAlone) {
  if (isAlone) {
    const run = async (args, options) => await exitCode(spawnNode24(args, options));
    return { run, write: (text) => process.stdout.write(text), end: () => undefined };
  }
  const pieces = [];
  return {
    async run(args, options) {
      const child = spawnNode24(args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
      const closed = once(child, 'close').catch(() => undefined);
      const code = await exitCode(child);
      // A process that it has left behind may hold the streams open.
      await Promise.race([closed, sleep(REST_MS, undefined, { ref: false })]);
      return code;
    },
    write: (text) => pieces.push(Buffer.from(text)),
    end: () => process.stdout.write(Buffer.concat(pieces)),
  };
}

/**
 * Runs the stages one after the other, all of them, prints what failed, how long each step took, and `N passed, N failed` last,
 * and ends the process.
 *
 * @param {Stage[]} stages
 */
export async function runAndExit(stages) {
  completeInstall();
  const total = { passed: 0, failed: 0, failures: [], leftOut: [], late: [], times: [] };
  for (const lanes of stages) {
    await Promise.all(lanes.map((lane) => runLane(lane, { isAlone: lanes.length === 1, total })));
  }
  console.log(`\n${total.times.join(', ')}`);
  for (const name of total.leftOut) console.log(name);
  for (const test of total.late) console.log(`\n${test}`);
  for (const failure of total.failures) console.log(`\n${failure}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

async function runLane(lane, { isAlone, total }) {
  for (const { name, run } of lane) {
    const started = performance.now();
    const output = openOutput(isAlone);
    output.write(`\n── ${name}\n`);
    // A job without output for long is ended by some services.
    const timer = setInterval(() => isAlone || console.log(`… ${name}`), HEARTBEAT_MS);
    const { passed, failed, failures = [], leftOut = [], late = [] } = await run(output);
    clearInterval(timer);
    output.end();
    total.times.push(`${name}: ${Math.round((performance.now() - started) / 1000)} s`);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) total.failures.push(`── ${name}: ${failed} failed`, ...failures);
    total.late.push(...late);
    if (leftOut.length > 0) total.leftOut.push(`── ${name}: ${leftOut.length} left out`, ...leftOut);
  }
}

/** Types, lint and format, by one core. */
export const staticChecks = [
  typeCheck('server', 'tsconfig.json'),
  typeCheck('web app', 'src/web/tsconfig.json'),
  typeCheck('journeys', 'e2e/tsconfig.json'),
  typeCheck('benchmarks', 'bench/tsconfig.json'),
  program('lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
];

function typeCheck(part, config) {
  return program(`types of the ${part}`, [
    'node_modules/typescript/bin/tsc',
    '-p',
    config,
    '--singleThreaded',
  ]);
}

/** Tests of all parts without a browser, but for those of `outageTests`. */
export const unitTests = {
  name: 'unit, integration and boundary tests',
  run: async (output) => {
    await findOrInstallSshd();
    await findOrInstallBubblewrap();
    findOrInstallOldPostgres();
    return await vitest('unit', ['--project', 'server', '--project', 'web']).run(output);
  },
};

/** Tests that wait for most of their time, by one worker. */
export const outageTests = vitest('outages', ['--project', 'outages']);
