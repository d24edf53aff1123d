import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cluster, startCluster } from './load-cluster.ts';
import { createMix, type LoadKind } from './load-mix.ts';
import { openSockets, setUpProject } from './load-people.ts';
import { formatLoadReport, formatSoakReport, isOverloadHandled } from './load-report.ts';
import { closeAgents } from './load-request.ts';
import { runSoak } from './load-soak.ts';
import { runStep, type StepResult } from './load-step.ts';

/*
 * npm run load -- [--rates 25,50,100,400] [--seconds 5] [--sockets 1000] [--soak 60m] [--rate 3] [--out FILE]
 *
 * Mixed requests at rising rates against one server and then two, with one worker, PostgreSQL and an S3 server, and with so many
 * WebSockets open. `--soak` sends a moderate rate for so long instead and measures the slopes of memory, handles and disk.
 * Fails when an overloaded server does anything else than answer or refuse with 503 and `Retry-After`, or when a slope is too steep.
 */
const { values: options } = parseArgs({
  options: {
    rates: { type: 'string', default: '25,50,100,400' },
    seconds: { type: 'string', default: '5' },
    sockets: { type: 'string', default: '1000' },
    people: { type: 'string', default: '200' },
    files: { type: 'string', default: '1000' },
    commits: { type: 'string', default: '2000' },
    soak: { type: 'string' },
    rate: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
const size = { files: Number(options.files), commits: Number(options.commits) };
const socketCount = Number(options.sockets);

const cluster = await startCluster(size);
try {
  await (options.soak === undefined
    ? measureLoad(cluster)
    : soak(cluster, Number.parseInt(options.soak, 10)));
} finally {
  closeAgents();
  await cluster.close();
}

/** Sends every rate to one server, then to two. */
async function measureLoad(cluster: Cluster): Promise<void> {
  const { people, mix } = await setUp(cluster);
  const sockets = await openSockets(cluster.servers[0]!.url, people, socketCount);
  const steps = await runRates(cluster, mix);
  await cluster.addServer();
  steps.push(...(await runRates(cluster, mix)));
  const { open, messages } = sockets;
  sockets.close();
  const report = formatLoadReport(steps, { ...size, sockets: socketCount, open, messages });
  console.log(report);
  await writeReport('load.md', report);
  if (!isOverloadHandled(steps)) process.exitCode = 1;
}

/** Sends one rate to two servers for so many minutes. */
async function soak(cluster: Cluster, minutes: number): Promise<void> {
  const { people, mix } = await setUp(cluster);
  await cluster.addServer();
  const sockets = await openSockets(cluster.servers[0]!.url, people, socketCount);
  let last = { report: '', isFlat: false };
  await runSoak(cluster, { mix, people, minutes, rate: Number(options.rate) }, async (soFar) => {
    last = formatSoakReport(soFar, { sockets: socketCount, open: sockets.open });
    await writeReport('soak.md', last.report);
  });
  sockets.close();
  console.log(last.report);
  if (!last.isFlat) process.exitCode = 1;
}

/** Starts the first server with people and an indexed project. */
async function setUp(cluster: Cluster) {
  await cluster.addServer();
  const project = await setUpProject(cluster.servers[0]!.url, cluster.cloneUrl, Number(options.people));
  console.error('set up');
  return { people: project.people, mix: createMix(project, size) };
}

async function runRates({ servers }: Cluster, mix: LoadKind[]): Promise<StepResult[]> {
  const steps: StepResult[] = [];
  for (const rate of options.rates.split(',').map(Number)) {
    steps.push(await runStep(servers, mix, { rate, seconds: Number(options.seconds) }));
    console.error(`${servers.length} servers, ${rate} a second`);
  }
  return steps;
}

async function writeReport(name: string, report: string): Promise<void> {
  await writeFile(options.out ?? join(import.meta.dirname, 'results', name), report);
}
