import { buildIndex } from '../src/memory/index/build-index.ts';
import { prepareIndexProcesses } from '../src/memory/index/index-process.ts';
import { measureProcesses } from './process-usage.ts';

/**
 * Builds or refreshes in a separate process, so that its memory and that of the processes that it starts can be measured:
 * `speed-reading.ts` starts it with the repository, the revision, the folder, the generation before and how often to do it,
 * and reads a line of JSON for each. The processes are started before, as while a repository is fetched.
 */
const [repo = '', revision = '', directory = '', previous = '', times = '1'] = process.argv.slice(2);
for (let time = 0; time < Number(times); time++) {
  const seen = new Map<number, number>();
  const idle = measureProcesses(seen);
  let peak = idle.bytes;
  const measure = () => {
    const { bytes, processor } = measureProcesses(seen);
    peak = Math.max(peak, bytes);
    return processor;
  };
  // Reading the shared pages of a process takes milliseconds.
  const watch = setInterval(measure, 200);
  let generation = previous;
  if (time === 0 && previous === '') await prepareIndexProcesses();
  /** When all files were searchable, then all commits as well. */
  let filesMs = 0;
  let searchableMs = 0;
  const start = performance.now();
  await buildIndex({
    repo,
    revision,
    directory,
    previous: previous || null,
    inStages: true,
    limits: { maxFileBytes: 2 ** 20, maxEntries: 500_000 },
    onProgress: () => {},
    onGeneration: async ({ name, phase, pending }) => {
      generation = name;
      if (phase === 'commits') return;
      const now = performance.now() - start;
      filesMs ||= now;
      if (!pending.includes('commits')) searchableMs ||= now;
    },
    signal: new AbortController().signal,
  });
  const ms = performance.now() - start;
  const processor = measure() - idle.processor;
  clearInterval(watch);
  console.log(JSON.stringify({ ms, filesMs, searchableMs, processor, bytes: peak - idle.bytes, generation }));
}
