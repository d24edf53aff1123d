// node bench/hunks-build.ts REPOSITORY HEAD FOLDER    builds the hunks of one repository and prints what it took
import { buildChangeIndex } from '../src/memory/changes/build-change-index.ts';

const [repo, revision, directory] = process.argv.slice(2);
if (!repo || !revision || !directory) throw new Error('Give a repository, a commit and a folder.');
const idle = process.memoryUsage.rss();
let peak = idle;
const start = performance.now();
await buildChangeIndex(
  { repo, revision, directory },
  {
    onProgress: () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    },
    signal: new AbortController().signal,
  },
);
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({ ms: performance.now() - start, cpuMs: (user + system) / 1000, bytes: peak - idle }),
);
