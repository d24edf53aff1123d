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

/** Runs a bundle whose second line throws, and whose map is the text given; returns the trace. */
function traceOf(name: string, map: string | null): string {
  const file = join(folder, `${name}.js`);
  writeFileSync(file, "\nexport const fail = () => { throw new TypeError('broken'); };");
  if (map !== null) writeFileSync(`${file}.map`, map);
  const program = `
    import { mapStackTraces } from ${JSON.stringify(pathToFileURL('src/server/telemetry/stack-traces.ts').href)};
    import { fail } from ${JSON.stringify(pathToFileURL(file).href)};
    mapStackTraces();
    try { fail(); } catch (error) { console.log(error.stack); }`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
}

test('names the line of the source where a file has a map', () => {
  // Line 1 begins at line 42, column 5 of the second source; the first segment of line 2 has no source, the next one is a line on.
  const mappings = 'ACyCI,IAAIA;A,EACA,MAEE';
  const map = JSON.stringify({ version: 3, sources: ['a.ts', '../src/part.ts'], names: ['x'], mappings });
  const lines = traceOf('mapped', map).split('\n');
  expect(lines[0]).toBe('TypeError: broken');
  expect(lines[1]).toBe(`    at fail (${join(folder, '..', 'src', 'part.ts')}:43:9)`);
});

test.for([
  { name: 'no map', map: null },
  { name: 'a broken map', map: '{' },
  { name: 'a map of fewer lines', map: '{ "sources": ["a.ts"], "mappings": "AAAA" }' },
])('keeps the position of a file with $name', ({ name, map }) => {
  const trace = traceOf(name.replaceAll(' ', '-'), map);
  expect(trace.split('\n')[1]).toMatch(/^ {4}at fail \(file:\/\/.*\.js:2:35\)$/);
});
