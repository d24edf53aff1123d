import type { FamilyResult } from './family.ts';

const MIB = 2 ** 20;

/** The tables of a run as Markdown: one for each mode, then every failure with its input. */
export function formatReport(results: readonly FamilyResult[], head: string): string {
  const modes = [...new Set(results.map(({ mode }) => mode))];
  const failures = results.flatMap((result) => result.failures.map((text) => `- ${result.mode}: ${text}`));
  const leftOut = results.flatMap((result) => result.leftOut.map((text) => `- ${result.mode}: ${text}`));
  return [
    `# Attack suite\n\n${head}`,
    ...modes.map((mode) => formatMode(mode, results)),
    failures.length > 0 ? `## Failures\n\n${failures.join('\n')}` : 'No failures.',
    ...(leftOut.length > 0 ? [`## Left out on this machine\n\n${leftOut.join('\n')}`] : []),
  ].join('\n\n');
}

function formatMode(mode: string, all: readonly FamilyResult[]): string {
  const results = all.filter((result) => result.mode === mode && result.inputs > 0);
  const total = (pick: (result: FamilyResult) => number) =>
    results.reduce((sum, result) => sum + pick(result), 0);
  const rows = results.map((result) => [
    ...[result.family, result.inputs, result.requests, result.deaths, result.serverErrors],
    ...[Math.round(result.slowestMs), memoryOf(result), toMib(result.diskBytes)],
    ...[Math.round(result.probeP95), Math.round(result.quietP95), result.failures.length],
    Math.round(result.seconds),
  ]);
  const last = [
    ...['**all**', total((r) => r.inputs), total((r) => r.requests), total((r) => r.deaths)],
    ...[total((r) => r.serverErrors), Math.round(Math.max(0, ...results.map((r) => r.slowestMs)))],
    ...['', toMib(total((r) => r.diskBytes)), Math.round(Math.max(0, ...results.map((r) => r.probeP95)))],
    ...['', total((r) => r.failures.length), Math.round(total((r) => r.seconds))],
  ];
  return [
    `## Mode: ${mode}\n`,
    '| family | inputs | requests | deaths | 5xx | slowest ms | memory MiB before / peak / after | disk MiB | second user p95 ms | quiet p95 ms | failures | s |',
    `|---${'|---:'.repeat(11)}|`,
    ...[...rows, last].map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

function memoryOf({ memory: { before, peak, after } }: FamilyResult): string {
  return [before, peak, after].map(toMib).join(' / ');
}

function toMib(bytes: number): string {
  return String(Math.round(bytes / MIB));
}
