import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { AppError } from '#contract/errors.ts';
import { serveTasks } from './serve-tasks.ts';

/** Task of a test. */
export interface TestTask {
  act: keyof typeof ACTS;
  value?: unknown;
}

/** Typed in the DOM library only. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (pages: object) => { buffer: ArrayBuffer; grow(pages: number): number } };
};
const MEBIBYTE = 2 ** 20;
const held: unknown[] = [];

const ACTS = {
  echo: (value: unknown) => value,
  pid: () => process.pid,
  sleep: (value: unknown) => new Promise((resolve) => setTimeout(resolve, Number(value))),
  async untilStopped(_: unknown, signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('It was stopped.');
  },
  heap() {
    for (;;) held.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
  },
  buffers() {
    for (;;) held.push(Buffer.alloc(8 * MEBIBYTE, 1));
  },
  /** Swallows errors, as the error handling of a parser might. */
  stubbornBuffers() {
    for (;;) {
      try {
        held.push(Buffer.alloc(MEBIBYTE, 1));
      } catch {
        held.push({});
      }
    }
  },
  wasm() {
    const memory = new webAssembly.Memory({ initial: 1, maximum: 65_536 });
    for (;;) {
      memory.grow(128);
      new Uint8Array(memory.buffer).fill(1);
    }
  },
  hold: (value: unknown) => void held.push(Buffer.alloc(Number(value) * MEBIBYTE, 1)),
  spin() {
    for (;;);
  },
  flood: (value: unknown) => 'x'.repeat(Number(value)),
  garbage: () => void process.stdout.write('Hello, this is not a message.\n'),
  complain: () => {
    process.stderr.write('x'.repeat(2 * MEBIBYTE));
    return new Promise(() => {});
  },
  exit: (value: unknown) => process.exit(Number(value)),
  fail: () => {
    throw new Error('It broke.');
  },
  refuse: () => {
    throw new AppError('not_found', 'file_not_found', { reason: 'not_found' });
  },
  full: () => {
    throw Object.assign(new Error('write'), { code: 'ENOSPC' });
  },
  environment: () => ({
    environment: readFileSync('/proc/self/environ', 'utf8'),
    folder: readdirSync('.'),
    streams: descriptors(),
  }),
  read: (value: unknown) => readFileSync(String(value), 'utf8'),
  write: (value: unknown) => writeFileSync(String(value), 'x'.repeat(MEBIBYTE)),
  start: () => process.getBuiltinModule('node:child_process').execFileSync('/bin/true').toString(),
};

serveTasks<TestTask, { phase: string }, unknown>(async ({ act, value }, { onProgress, signal }) => {
  onProgress({ phase: act });
  return await ACTS[act](value, signal);
});

/** Sockets, pipes and files that are open, by their numbers. */
function descriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return /^(?:socket|pipe|\/(?!dev\/null))/.test(target) ? [`${fd} ${target.split(':')[0]}`] : [];
    } catch {
      return [];
    }
  });
}
