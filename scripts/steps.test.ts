import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = `
import { program, runAndExit } from './scripts/steps.mjs';
const slow = "console.log('one'); setTimeout(() => console.log('two'), 300)";
await runAndExit([
  [[program('slow', ['-e', slow])], [program('quick', ['-e', "console.log('three')"]), program('broken', ['-e', 'process.exit(1)'])]],
  [[program('last', ['-e', "console.log('four')"])]],
]);`;

test('steps side by side print their output whole, in the order in which they end', async () => {
  const args = ['--no-warnings', '--input-type=module', '-e', PROGRAM];
  const run = promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
  const { code, stdout } = (await run.catch((error) => error)) as { code?: number; stdout: string };
  expect(stdout).toContain('\n── slow\none\ntwo\n');
  expect(stdout).toContain('\n── quick\nthree\n');
  expect(stdout.indexOf('── last')).toBeGreaterThan(stdout.indexOf('two'));
  expect(stdout).toMatch(/\n── broken: 1 failed\n\n3 passed, 1 failed\n$/);
  expect(code).toBe(1);
});
