import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

test('the bundle of the server runs, and finds every file that a module names', () => {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'dist', 'bundle-'));
  try {
    const script = join(ROOT, 'scripts/bundle-server.mjs');
    execFileSync(process.execPath, [script, relative(ROOT, folder), 'src'], { encoding: 'utf8' });
    const chunks = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const code = chunks.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    const found = code.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g);
    const modules = [...new Set([...found].map(([, path]) => path!))];
    expect(modules.filter((path) => !existsSync(join(folder, path)))).toEqual(['pool.js']);
    expect(chunks).toEqual(expect.arrayContaining(['main.js', 'worker.js', 'background-worker.js']));
    expect(modules.length).toBeGreaterThan(10);
    const own = /new URL\("[^"]+", import\.meta\.url\)|createRequire\(import\.meta\.url\)/g;
    expect(code.replace(own, '')).not.toContain('import.meta.url');
    const load = `await import(${JSON.stringify(join(folder, 'program.js'))}); console.log('loaded');`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', load], { encoding: 'utf8' });
    expect(output).toBe('loaded\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
