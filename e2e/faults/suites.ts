import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fault, seconds } from './fault.ts';

/** Rows whose fault is injected by tests of the product: every test is a trial. */
export const suiteFaults: Fault[] = [
  suite('R5', 'disk full', 'reads ≥ 99 %, writes 503 or 507, recovery ≤ 15 s, nothing acknowledged lost', [
    'src/full-disk.test.ts',
    'src/server/http/storage-guard.test.ts',
  ]),
  suite('R6', 'git remote silent, slow, endless, broken', 'specific error, abort ≤ 35 s, no child left', [
    'src/git/slow-transfer.test.ts',
    'src/server/projects/slow-remotes.test.ts',
  ]),
  suite('R7', 'huge repository, bomb', 'stopped at the cap, space reclaimed', [
    'src/server/project-data/expanding-repository.test.ts',
    'src/server/projects/untrusted-repositories.test.ts',
  ]),
  suite('R8', 'huge file', 'listed with its size, neither opened nor indexed', [
    'src/server/ide/files.test.ts',
  ]),
  suite('R9', 'binary, invalid UTF-8, odd names', 'tree complete, no 5xx', [
    'src/server/ide/untrusted-text.test.ts',
    'src/server/ide/hostile-input.test.ts',
    'src/server/ide/text-encoding.test.ts',
  ]),
  suite(
    'R11',
    'model: 429, 500, hangs, cuts, invalid JSON, 10 MB',
    'bounded wait, ≤ 2 retries, breaker opens',
    ['src/assistant/models/open-model.test.ts', 'src/assistant/models/embed.test.ts'],
  ),
  suite('R12', 'payment webhooks: copies, any order', 'one effect per event, never backwards', [
    'src/server/payments',
  ]),
  suite('R13', '50 parallel refreshes, lost reply, reuse', 'one successor; reuse revokes the family', [
    'src/server/auth/session-tokens.test.ts',
    'src/server/auth/session-routes.test.ts',
  ]),
  suite('R21', 'random requests', 'no crash, no 5xx', ['src/server/http/random-requests.test.ts']),
  suite(
    'O1',
    'object store lost, slow, wrong',
    'clear error, nothing acknowledged lost, recovery by itself',
    ['src/storage/object-stores.test.ts', 'src/server/project-data/project-files.test.ts'],
  ),
];

/** A row that runs test files by vitest. */
function suite(id: string, name: string, target: string, files: string[]): Fault {
  return {
    id,
    name,
    target,
    async run({ report }) {
      const folder = await mkdtemp(join(tmpdir(), 'hindsight-fault-suite-'));
      const file = join(folder, 'results.json');
      const started = performance.now();
      try {
        const args = [
          'node_modules/vitest/vitest.mjs',
          'run',
          ...files,
          '--reporter=json',
          `--outputFile.json=${file}`,
        ];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
        const [code] = await once(child, 'exit');
        const { numPassedTests, numFailedTests, testResults } = JSON.parse(await readFile(file, 'utf8'));
        for (const { name: path, status } of testResults)
          if (status !== 'passed') report(`${id}: ${path} ${status}`);
        const losses = numFailedTests + Number(code !== 0 && numFailedTests === 0);
        const figures = `tests of ${files.map((path) => `\`${path}\``).join(', ')} in ${seconds((performance.now() - started) / 1000)}`;
        return { trials: numPassedTests + numFailedTests, losses, figures, isMet: losses === 0 };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
