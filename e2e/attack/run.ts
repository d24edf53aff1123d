import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatReport } from './report.ts';
import { LOOSE_BOUNDS, MODES, runSuite, STRICT_BOUNDS } from './suite.ts';
import type { Mode } from './world.ts';

/*
 * npm run attack -- [--short] [--loose] [--mode=default] [--only=saves,fuzz] [--server-dir=/another/checkout] [--out=table.md]
 *
 * Attacks a running server over HTTP, WebSocket and TCP, and ends with a code other than 0 when anything failed.
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    loose: { type: 'boolean', default: false },
    mode: { type: 'string', multiple: true },
    only: { type: 'string', default: '' },
    'server-dir': { type: 'string', default: process.env.ATTACK_SERVER_DIR ?? '.' },
    out: { type: 'string' },
  },
});

const checkout = resolve(values['server-dir']);
const began = performance.now();
const results = await runSuite({
  checkout,
  modes: MODES.filter((mode: Mode) => values.mode === undefined || values.mode.includes(mode)),
  short: values.short,
  bounds: values.loose ? LOOSE_BOUNDS : STRICT_BOUNDS,
  only: values.only.split(',').filter((name) => name !== ''),
  onResult: ({ mode, family, inputs, deaths, failures, seconds }) => {
    if (inputs === 0) return;
    const words = failures.length === 0 ? 'ok' : `${failures.length} failures`;
    console.log(
      `${mode} · ${family}: ${inputs} inputs, ${deaths} deaths, ${words} (${seconds.toFixed(1)} s)`,
    );
    for (const failure of failures.slice(0, 5)) console.log(`    ${failure.slice(0, 1_500)}`);
  },
});

const seconds = Math.round((performance.now() - began) / 1000);
const total = results.reduce((sum, { inputs }) => sum + inputs, 0);
const failed = results.reduce((sum, { failures }) => sum + failures.length, 0);
const head = `${total} inputs in ${seconds} s on ${availableParallelism()} cores, ${failed} failures.`;
const report = formatReport(results, head);
console.log(`\n${report}`);
if (values.out) await writeFile(values.out, `${report}\n`);
process.exit(failed === 0 ? 0 : 1);
