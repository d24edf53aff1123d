import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeInstall } from './complete-install.mjs';
import { exitCode, spawnNode24 } from './node24.mjs';

/**
 * A step runs and says how many things passed and failed: a type check or lint run is one thing, a test run as
 * many as it has tests.
 *
 * @typedef {{ passed: number, failed: number }} Count
 * @typedef {{ name: string, run: () => Promise<Count> }} Step
 */

/** @returns {Step} A program that passes by ending with 0. */
export function program(name, args) {
  return { name, run: async () => oneOf((await exitCode(spawnNode24(args))) === 0) };
}

/** @returns {Step} A run of vitest; a file that could not even be loaded counts as one failure. */
export function vitest(name, args, env = {}) {
  return {
    name,
    run: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'hindsight-results-'));
      const file = join(folder, 'results.json');
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
      try {
        const child = spawnNode24(['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters], { env });
        return countTests(await exitCode(child), file);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

/** @returns {Count} */
export function oneOf(passed) {
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function countTests(code, file) {
  try {
    const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const unloaded = testResults.filter(
      (result) => result.status === 'failed' && result.assertionResults.length === 0,
    );
    const failed = numFailedTests + unloaded.length;
    return { passed, failed: code === 0 ? failed : Math.max(failed, 1) };
  } catch {
    return oneOf(false);
  }
}

/** Runs the steps, all of them, prints `N passed, N failed` last and ends the process. */
export async function runAndExit(steps) {
  completeInstall();
  const total = { passed: 0, failed: 0 };
  for (const { name, run } of steps) {
    console.log(`\n── ${name}`);
    const { passed, failed } = await run();
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) console.log(`── ${name}: ${failed} failed`);
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

/** All that is checked without a browser. */
export const CHECKS = [
  program('types of the server', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']),
  program('types of the web app', ['node_modules/typescript/bin/tsc', '-p', 'src/web/tsconfig.json']),
  program('types of the journeys', ['node_modules/typescript/bin/tsc', '-p', 'e2e/tsconfig.json']),
  program('types of the benchmarks', ['node_modules/typescript/bin/tsc', '-p', 'bench/tsconfig.json']),
  program('lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
  vitest('unit, integration and boundary tests', []),
];
