import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** In bytes of WebAssembly: to optimize a function takes V8 two to three thousand times as many bytes. */
const LARGE = 60_000;

test('large lexers are never optimized, functions that grammars share are', async () => {
  const cutting = new URL('./passages.ts', import.meta.url);
  const code = `
    const { chunkFile } = await import('${cutting}');
    const method = (i) => \`int Session::method\${i}(const std::string &a) { return a.size() + \${i}; }\\n\`;
    await chunkFile('a.cpp', Array.from({ length: 200 }, (_, i) => method(i)).join(''));
    await chunkFile('a.css', Array.from({ length: 50 }, (_, i) => \`a.b\${i} { color: red; }\\n\`).join(''));`;
  const flags = ['--trace-wasm-compilation-times', '--wasm-sync-tier-up'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--input-type=module', '--eval', code],
    { maxBuffer: 2 ** 24 },
  );
  const optimized = [...stdout.matchAll(/using TurboFan.*bodysize (\d+)/g)].map(([, size]) => Number(size));
  expect(optimized.length).toBeGreaterThan(5);
  expect(optimized.filter((size) => size > LARGE)).toEqual([]);
}, 30_000);
