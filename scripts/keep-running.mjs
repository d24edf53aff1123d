// Plain JavaScript that Node 18 understands.
import { join } from 'node:path';
import { isCheckout, root, spawnNode24 } from './node24.mjs';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** After this long a server counts as one that works, and its next end as a first one. */
const STABLE_MS = 600_000;

/**
 * Codes after which starting again would not help: ended in order, misconfigured (EX_CONFIG of sysexits.h, also when the
 * port is taken), stopped late. `src/main.ts` has the same.
 */
const FINAL_CODES = [0, 78, 143];

/** Node keeps what it compiled here, so that later starts take less time; it ignores a folder that it cannot write. */
const COMPILE_CACHE =
  process.env.NODE_COMPILE_CACHE ?? join(root, isCheckout ? 'node_modules/.cache' : '.cache', 'compiled');

/**
 * Memory of the server. glibc makes eight arenas for each core by default, and each keeps what threads freed: 547 MB instead of 500 after
 * five minutes under load. V8 lets the nursery of each of the server's four threads grow to three times 16 MB by default.
 */
const MALLOC_ARENAS = process.env.MALLOC_ARENA_MAX ?? '2';
const MEMORY_FLAGS = ['--max-semi-space-size=8'];

/**
 * Runs a program of ours and starts it again when it dies, after 1, 2, 4 … 60 seconds. Ends when it ended in order, when
 * starting again would not help, or when this process is asked to stop; returns the exit code and what asks.
 */
export function keepRunning(args, options = {}) {
  let child;
  let timer;
  let isStopping = false;
  let delay = FIRST_DELAY_MS;
  let settle;
  const ended = new Promise((resolve) => {
    settle = resolve;
  });

  function run() {
    const startedAt = Date.now();
    // The channel lets the program notice that this process was killed.
    child = spawnNode24([...MEMORY_FLAGS, ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      ...options,
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, MALLOC_ARENA_MAX: MALLOC_ARENAS, ...options.env },
    });
    child.once('error', (error) => {
      console.error(error.message);
      settle(1);
    });
    child.once('exit', (code, signal) => {
      child = undefined;
      if (isStopping || FINAL_CODES.includes(code)) return settle(code ?? 1);
      if (Date.now() - startedAt >= STABLE_MS) delay = FIRST_DELAY_MS;
      const how = signal ? `was killed by ${signal}` : `ended with code ${code}`;
      const now = new Date().toISOString();
      console.error(`${now} Hindsight ${how}. Starting it again in ${delay / 1000} s.`);
      timer = setTimeout(run, delay);
      delay = Math.min(2 * delay, MAX_DELAY_MS);
    });
  }

  function stop(signal) {
    isStopping = true;
    clearTimeout(timer);
    if (child) child.kill(signal);
    else settle(0);
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  run();
  return { ended, stop };
}
