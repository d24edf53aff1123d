import { cpus, loadavg } from 'node:os';
import type { SoakResult, SoakSample } from './load-soak.ts';
import type { KindResult, StepResult } from './load-step.ts';
import { ownCommand } from './own-command.ts';
import { percentile } from './speed-timing.ts';

/** A refusal takes at most so long at the 95th percentile, and `/healthz` as well. */
const MAX_REFUSAL_MS = 5_000;
/** Samples before are of caches that fill. */
const WARM_MINUTES = 20;
const MAX_SLOPE = 0.01;

const ms = (values: number[], share: number) =>
  values.length === 0 ? '–' : Math.round(percentile(values, share)).toLocaleString('en');
const three = (values: number[]) => [0.5, 0.95, 0.99].map((share) => ms(values, share)).join(' / ');
const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: (string | number)[][]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const machine = () =>
  `${new Date().toISOString().slice(0, 10)} · ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`;

/** True when every reply was an answer or a refusal in time, and health checks were answered all the while. */
export function isOverloadHandled(steps: StepResult[]): boolean {
  return steps.every(({ kinds, health }) => {
    const refused = kinds.flatMap((kind) => kind.refused);
    const isEarly = refused.length === 0 || percentile(refused, 0.95) <= MAX_REFUSAL_MS;
    return isEarly && kinds.every(({ failed }) => failed.size === 0) && health.every(Number.isFinite);
  });
}

/** Report of the rising rates. */
export function formatLoadReport(
  steps: StepResult[],
  about: { files: number; commits: number; sockets: number; open: number; messages: number },
): string {
  const { files, commits, sockets, open, messages } = about;
  return `# Load

\`${ownCommand('load')}\` · ${machine()}. The sender, PostgreSQL and the S3 server share the machine.

A generated repository of ${files.toLocaleString('en')} files and ${commits.toLocaleString('en')} commits; each server and the worker
with a folder of its own. ${sockets} WebSockets to the first server (${open} open at the end, ${messages} messages received). Requests
arrive at the rate whether or not earlier ones were answered. Times in milliseconds, p50 / p95 / p99.

${table(
  [
    'servers',
    'sent a second',
    'answered a second',
    'time',
    '503',
    'their time',
    'other errors',
    '`/healthz`',
    'memory, MB',
    'event loop delay',
  ],
  steps.map(stepRow),
)}

${lastSteps(steps)
  .map((step) => kindTable(step))
  .join('\n\n')}
`;
}

function stepRow({ servers, rate, seconds, kinds, health, samples }: StepResult): (string | number)[] {
  const served = kinds.flatMap((kind) => kind.served);
  const refused = kinds.flatMap((kind) => kind.refused);
  return [
    servers,
    rate,
    (served.length / seconds).toFixed(0),
    three(served),
    refused.length,
    three(refused),
    formatFailures(kinds),
    three(health),
    samples.map(({ memoryMb }) => memoryMb.toFixed(0)).join(', '),
    samples
      .map((sample) => `${sample.eventLoopP50Ms.toFixed(0)} / ${sample.eventLoopP99Ms.toFixed(0)}`)
      .join(', '),
  ];
}

/** For each number of servers, the highest rate that was answered without a refusal, and the highest of all. */
function lastSteps(steps: StepResult[]): StepResult[] {
  return [1, 2].flatMap((count) => {
    const some = steps.filter(({ servers }) => servers === count);
    const whole = some.findLast(({ kinds }) => kinds.every(({ refused }) => refused.length === 0));
    return [...new Set([whole, some.at(-1)])].filter((step) => step !== undefined);
  });
}

function kindTable({ servers, rate, kinds }: StepResult): string {
  const rows = kinds.map((kind) => [
    kind.name,
    kind.served.length,
    three(kind.served),
    kind.refused.length === 0 ? 0 : formatFailures([kind], 'reasons'),
    formatFailures([kind]),
  ]);
  return `${servers === 1 ? 'One server' : 'Two servers'}, ${rate} a second:\n\n${table(['', 'answered', 'time', '503', 'other errors'], rows)}`;
}

function formatFailures(kinds: KindResult[], which: 'failed' | 'reasons' = 'failed'): string {
  const all = kinds.flatMap((kind) => [...kind[which]]);
  const names = [...new Set(all.map(([name]) => name))];
  const countOf = (name: string) => all.reduce((sum, [one, count]) => sum + (one === name ? count : 0), 0);
  return names.map((name) => `${countOf(name)} × ${name}`).join(', ') || 'none';
}

/** Report of a long run, and whether nothing grew. */
export function formatSoakReport(
  { rate, minutes, samples, kinds }: SoakResult,
  { sockets, open }: { sockets: number; open: number },
): { report: string; isFlat: boolean } {
  const later = samples.filter(({ minute }) => minute > WARM_MINUTES);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const measures: [string, (sample: SoakSample) => number][] = [
    ['memory of a server (RSS), MB', ({ servers }) => mean(servers.map(({ memoryMb }) => memoryMb))],
    ['its JavaScript heap, MB', ({ servers }) => mean(servers.map(({ heapMb }) => heapMb))],
    ['its handles', ({ servers }) => mean(servers.map(({ handles }) => handles))],
    ['disk of all processes, MB', ({ diskMb }) => diskMb],
    ['database, MB', ({ databaseMb }) => databaseMb],
  ];
  const slopes = measures.map(([name, read]) => {
    // Without minutes in which a server did not answer in time.
    const points = later.map((sample) => [sample.minute, read(sample)] as const);
    const known = points.filter(([, value]) => Number.isFinite(value));
    const values = known.map(([, value]) => value);
    return {
      name,
      values,
      slope: slopeOf(
        known.map(([minute]) => minute),
        values,
      ),
    };
  });
  const served = kinds.flatMap((kind) => kind.served);
  const report = `# Soak

\`${ownCommand('load')}\` · ${machine()}

${rate} requests a second of the mix of [load.md](load.md) for ${minutes} minutes to two servers and one worker, with ${sockets} WebSockets
(${open} open at the end): ${served.length} answered in ${three(served)} ms (p50 / p95 / p99), ${kinds.flatMap((kind) => kind.refused).length} refused with 503 (${formatFailures(kinds, 'reasons')}),
other errors: ${formatFailures(kinds)}. Slopes by least squares over the minutes after the first ${WARM_MINUTES}, as a share of the mean.

${table(
  ['', 'first', 'last', 'slope in 10 min', `goal`],
  slopes.map(({ name, values, slope }) => [
    name,
    (values[0] ?? Number.NaN).toFixed(1),
    (values.at(-1) ?? Number.NaN).toFixed(1),
    `${(slope * 100).toFixed(2)} %`,
    name.startsWith('database') ? 'grows with what is saved' : '< 1 %',
  ]),
)}

${growthPerSave(later)}
`;
  const isFlat = slopes.every(({ name, slope }) => name.startsWith('database') || slope < MAX_SLOPE);
  return { report, isFlat };
}

/** Growth of the folders and of the database beside the number of saves. */
function growthPerSave(samples: SoakSample[]): string {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.saves === first.saves) return 'No growth per save yet.';
  const saves = last.saves - first.saves;
  const each = (megabytes: number) => ((megabytes * 1024) / saves).toFixed(1);
  return `${saves} saves were acknowledged between the first and the last of these minutes: the folders grew by
${each(last.diskMb - first.diskMb)} KB for each, the database, with events, answers and jobs, by ${each(last.databaseMb - first.databaseMb)} KB.`;
}

/** Change in ten minutes as a share of the mean, by least squares. */
function slopeOf(minutes: number[], values: number[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const [x, y] = [mean(minutes), mean(values)];
  const over = minutes.reduce((sum, minute, index) => sum + (minute - x) * (values[index]! - y), 0);
  const under = minutes.reduce((sum, minute) => sum + (minute - x) ** 2, 0);
  return ((over / under) * 10) / y;
}
