import { remember } from '../src/memory/ingest.ts';

/**
 * One build or refresh in a process of its own, so that its memory can be told: `speed-reading.ts` starts it with
 * the repository, the revision, the folder and the generation before, and reads a line of JSON.
 */
const [repo = '', revision = '', directory = '', previous = ''] = process.argv.slice(2);
const idle = process.memoryUsage.rss();
let generation = previous;
let most = idle;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 20);
const began = performance.now();
await remember({
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
clearInterval(watch);
console.log(JSON.stringify({ ms: performance.now() - began, bytes: most - idle, generation }));
