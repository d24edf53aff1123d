import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-traces-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a bundle that throws at its only position, whose map is the text given, and returns the trace. */
function traceOf(name: string, map: string | null): string {
  const file = join(folder, `${name}.js`);
  writeFileSync(file, "export const fail = () => { throw new TypeError('broken'); };");
  if (map !== null) writeFileSync(`${file}.map`, map);
  const program = `
    import { mapStackTraces } from ${JSON.stringify(pathToFileURL('src/server/telemetry/stack-traces.ts').href)};
    import { fail } from ${JSON.stringify(pathToFileURL(file).href)};
    mapStackTraces();
    try { fail(); } catch (error) { console.log(error.stack); }`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
}

test('names the line of the source where a file has a map', () => {
  // One segment: column 0 of the bundle's first line is line 42, column 5 of the source.
  const map = JSON.stringify({ version: 3, sources: ['../src/part.ts'], names: [], mappings: 'AAyCI' });
  const lines = traceOf('mapped', map).split('\n');
  expect(lines[0]).toBe('TypeError: broken');
  expect(lines[1]).toBe(`    at fail (${join(folder, '..', 'src', 'part.ts')}:42:5)`);
});

test.for([
  { name: 'no map', map: null },
  { name: 'a broken map', map: '{' },
])('keeps the position of a file with $name', ({ name, map }) => {
  const trace = traceOf(name.replaceAll(' ', '-'), map);
  expect(trace.split('\n')[1]).toMatch(/^ {4}at fail \(file:\/\/.*\.js:1:35\)$/);
});
