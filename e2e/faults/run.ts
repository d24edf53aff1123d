import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../bench/editor-server.ts';
import { FAULTS } from './all.ts';
import type { Fault, Measurement } from './fault.ts';

/*
 * npm run faults -- [--only R1,R18] [--trials 5] [--short] [--out yes]
 *
 * Injects the faults of docs/reliability.md and compares what happens with its targets. The full form takes hours; `--trials`
 * takes as many of each, `--short` one. With `--out yes` the results replace those in the document. Exit code 1 if anything is lost
 * or a target is missed.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    trials: { type: 'string' },
    short: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const DOCUMENT = join(import.meta.dirname, '../../docs/reliability.md');
const [BEGIN, END] = ['<!-- results -->', '<!-- end of results -->'];

interface Result {
  fault: Fault;
  measurement: Measurement;
}

const only = values.only?.split(',');
const chosen = FAULTS.filter(({ id }) => !only || only.includes(id));
if (chosen.length === 0)
  throw new Error(`No fault has this number. There are ${FAULTS.map(({ id }) => id).join(', ')}.`);
const trials = values.trials === undefined ? undefined : Number(values.trials);
const results: Result[] = [];
for (const fault of chosen) {
  console.error(`${fault.id} ${fault.name}`);
  const options = { short: values.short, trials, report: (line: string) => console.error(`  ${line}`) };
  const measurement = await fault.run(options).catch((error: unknown) => {
    console.error(error);
    return {
      trials: 0,
      losses: 1,
      figures: `failed: ${(error as Error).message.split('\n')[0]}`,
      isMet: false,
    };
  });
  results.push({ fault, measurement });
  console.log(formatRow({ fault, measurement }));
}
if (values.out) await writeResults(results);
if (results.some(({ measurement }) => measurement.losses > 0 || !measurement.isMet)) process.exitCode = 1;

function formatRow({ fault, measurement }: Result): string {
  const { trials: count, losses, figures, isMet } = measurement;
  return `| ${fault.id} | ${fault.name} | ${count} | ${losses} | ${figures} | ${fault.target} | ${isMet ? 'yes' : '**no**'} |`;
}

/** Replaces the rows that were measured; the others stay. */
async function writeResults(measured: Result[]): Promise<void> {
  const text = await readFile(DOCUMENT, 'utf8');
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  const before = text.slice(start, end);
  const rows = new Map([...before.matchAll(/^\| ([A-Z]\d+) \|.*$/gm)].map(([row, id]) => [id!, row]));
  for (const result of measured) rows.set(result.fault.id, formatRow(result));
  const sorted = [...rows].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  const head =
    '| | fault | trials | losses | measured | target | met |\n| --- | --- | --- | --- | --- | --- | --- |';
  const table = `${BEGIN}\n${head}\n${sorted.map(([, row]) => row).join('\n')}\n\nLast run on ${describeMachine()}.\n`;
  await writeFile(DOCUMENT, text.slice(0, start) + table + text.slice(end));
}
