import { parseArgs } from 'node:util';
import { startCluster } from './load-cluster.ts';
import { createMix, type LoadKind } from './load-mix.ts';
import { setUpProject } from './load-people.ts';
import { closeAgents } from './load-request.ts';
import { percentile } from './speed-timing.ts';

/*
 * node bench/requests.ts [--kinds file,save,commits,search] [--connections 8] [--seconds 5]
 *                        [--files 1000] [--commits 2000]
 *
 * One kind of request after the other against one server: every connection asks again as soon as it has its reply. Prints how
 * many were answered in a second and how long they took.
 */
const { values: options } = parseArgs({
  options: {
    kinds: { type: 'string', default: 'file,save,commits,search' },
    connections: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    files: { type: 'string', default: '1000' },
    commits: { type: 'string', default: '2000' },
  },
});
const size = { files: Number(options.files), commits: Number(options.commits) };
const connections = Number(options.connections);

const cluster = await startCluster(size);
try {
  await cluster.addServer();
  const { url } = cluster.servers[0]!;
  const mix = createMix(await setUpProject(url, cluster.cloneUrl, connections), size);
  console.log('| request | a second | p50 / p95, ms |\n| --- | --- | --- |');
  for (const name of options.kinds.split(',')) {
    const kind = mix.find((each) => each.name === name);
    if (!kind) throw new Error(`There is no kind of request named ${name}.`);
    const { perSecond, times } = await repeat(kind, url);
    const ms = (share: number) => Math.round(percentile(times, share));
    console.log(`| ${name} | ${perSecond.toFixed(1)} | ${ms(0.5)} / ${ms(0.95)} |`);
  }
} finally {
  closeAgents();
  await cluster.close();
}

/** Throws for a reply that is no success. */
async function repeat(kind: LoadKind, server: string): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = [];
  const started = performance.now();
  const ends = started + Number(options.seconds) * 1000;
  const client = async () => {
    while (performance.now() < ends) {
      const { status, body, ms } = await kind.send(server);
      if (status < 200 || status > 299) throw new Error(`${kind.name}: ${status} ${body}`);
      times.push(ms);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const perSecond = (times.length * 1000) / (performance.now() - started);
  return { perSecond, times };
}
