import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSpawner } from '../src/git/spawner.ts';
import { findSandbox } from '../src/sandbox/commands/find-sandbox.ts';
import { runHostProgram } from '../src/sandbox/commands/host-program.ts';
import { removeSandboxFolder } from '../src/sandbox/commands/remove-folder.ts';
import { percentile } from './speed-timing.ts';

/*
 * npm run bench:sandbox [-- RUNS]
 *
 * Measures what the sandbox costs a command: `true` by a shell in the sandbox, from the call to the result with all that is
 * prepared and cleaned up, and the same shell spawned directly, by turns. The goal is 60 ms more at the median.
 */
const runs = Number(process.argv[2] ?? 60);
const WARM_UP_RUNS = 5;

const spawner = await startSpawner();
const folder = mkdtempSync(join(tmpdir(), 'hindsight-bench-sandbox-'));
try {
  const found = await findSandbox({ dataDir: join(folder, 'data'), toolchains: [] });
  if (!('sandbox' in found)) throw new Error(`There is no sandbox: ${found.unavailable}, ${found.detail}`);
  const checkout = mkdtempSync(join(folder, 'checkout-'));
  const kinds = {
    'bare spawn': async () => void (await runHostProgram(['sh', '-c', 'true'])),
    sandbox: async () => void (await found.sandbox.run({ checkout, command: 'true' })),
  };
  const times: Record<string, number[]> = { 'bare spawn': [], sandbox: [] };
  for (let run = -WARM_UP_RUNS; run < runs; run += 1) {
    for (const [kind, start] of Object.entries(kinds)) {
      const began = performance.now();
      await start();
      if (run >= 0) times[kind]!.push(performance.now() - began);
    }
  }
  console.log(`| ${runs} runs | median ms | p95 ms |\n|---|---:|---:|`);
  for (const [kind, all] of Object.entries(times)) {
    console.log(`| ${kind} | ${percentile(all, 0.5).toFixed(1)} | ${percentile(all, 0.95).toFixed(1)} |`);
  }
  const over = percentile(times.sandbox!, 0.5) - percentile(times['bare spawn']!, 0.5);
  console.log(`\nThe sandbox takes ${over.toFixed(1)} ms more at the median.`);
} finally {
  await removeSandboxFolder(folder);
  await spawner.close();
}
