import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from './product.ts';

/** The commands of docs/first-hour.md, as they are written: in a checkout with a failing test, beside a running server. */

const SAMPLE = resolve('src/server/projects/sample/parcel-desk.bundle');
const SECRET_KEY = 'key of the first hour';
/** Done by the package's own tests, and by `startProduct`. */
const INSTALLS = /^npm (?:ci|install)\b/;

let product: Product;
let folder: string;
const outputs: { command: string; code: number; output: string }[] = [];

beforeAll(async () => {
  product = await startProduct({ allowedHosts: [], settings: { SECRET_KEY } });
  folder = mkdtempSync(join(tmpdir(), 'hindsight-first-hour-'));
  // PostgreSQL runs as a user of its own where the tests run as root.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'bin'));
  symlinkSync(resolve('scripts/hindsight.mjs'), join(folder, 'bin', 'hindsight'));
  execFileSync('git', ['clone', '--quiet', SAMPLE, join(folder, 'checkout')]);
  const failing = `import test from 'node:test';\nimport { quote } from '../src/quote.js';\nimport { loadRates } from '../src/rates.js';
test('remote', () => quote({ grams: 900, to: 'SE-98132' }, loadRates()));\n`;
  writeFileSync(join(folder, 'checkout', 'test', 'remote.test.js'), failing);
});

afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function readCommands(): string[] {
  const text = readFileSync('docs/first-hour.md', 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .filter((command) => !INSTALLS.test(command));
}

/** Runs a command; those of the checkout of Hindsight in this one, all others in the sample's. */
async function run(command: string): Promise<{ code: number; output: string }> {
  const isOurs = command.includes('scripts/hindsight.mjs');
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    HINDSIGHT_CACHE_DIR: join(folder, 'cache'),
    DATA_DIR: product.dataDir,
    PORT: new URL(product.url).port,
    SECRET_KEY,
  };
  const there = command
    .replaceAll('hindsight.tar', join(folder, 'hindsight.tar'))
    .replace('/tmp/restored', join(folder, 'restored'));
  const options = { cwd: isOurs ? '.' : join(folder, 'checkout'), env };
  return await promisify(execFile)('bash', ['-c', there], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

test('the commands of the first hour run as written', async () => {
  for (const command of readCommands()) outputs.push({ command, ...(await run(command)) });
  const outputOf = (part: string) => outputs.find(({ command }) => command.includes(part))?.output;
  // 1: an answer that the evidence does not reach, and findings of the examination of this machine.
  expect(outputs.filter(({ code }) => code > 1)).toEqual([]);
  expect(outputOf('hindsight why')).toContain('src/surcharges.js');
  expect(outputOf('backup')).toContain('hindsight.tar');
  expect(outputOf('doctor')).toMatch(/PostgreSQL/);
  expect(outputs.find(({ command }) => command.includes('restore'))?.code).toBe(0);
});
