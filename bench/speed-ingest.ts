import { buildIndex } from '../src/memory/index/build-index.ts';

/**
 * Builds or refreshes in a separate process, so that its memory can be measured: `speed-reading.ts` starts it with the
 * repository, the revision, the folder, the generation before and how often to do it, and reads a line of JSON for each.
 */
const [repo = '', revision = '', directory = '', previous = '', times = '1'] = process.argv.slice(2);
for (let time = 0; time < Number(times); time++) {
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  let generation = previous;
  const used = process.cpuUsage();
  const start = performance.now();
  await buildIndex({
    repo,
    revision,
    directory,
    previous: previous || null,
    limits: { maxFileBytes: 2 ** 20, maxEntries: 500_000 },
    onProgress: () => {},
    onGeneration: async ({ name }) => {
      generation = name;
    },
    signal: new AbortController().signal,
  });
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  clearInterval(watch);
  console.log(JSON.stringify({ ms, processor: (user + system) / 1000, bytes: peak - idle, generation }));
}
