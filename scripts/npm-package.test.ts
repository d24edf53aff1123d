import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface PackedFile {
  path: string;
}

function runScript(...args: string[]): string {
  return execFileSync(process.execPath, ['--no-warnings', ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 });
}

test('the package has what a start needs, and neither sources nor tests', () => {
  const cache = mkdtempSync(join(tmpdir(), 'hindsight-npm-'));
  try {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--cache', cache];
    const output = execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    const [packed] = Object.values(JSON.parse(output)) as { files: PackedFile[] }[];
    const files = packed!.files.map(({ path }) => path);
    const starts = ['hindsight', 'keep-running', 'node24', 'complete-install'];
    const needed = ['start.mjs', ...starts.map((name) => `scripts/${name}.mjs`)];
    expect(files).toEqual(expect.arrayContaining(['package.json', ...needed]));
    expect(files.filter((file) => /^(?:src|e2e|bench|checks|docs|data)\/|\.tsx?$/.test(file))).toEqual([]);
  } finally {
    rmSync(cache, { recursive: true });
  }
});

test('every module of the server can be compiled, and imports only files and dependencies of the package', () => {
  const paths = runScript('scripts/compile.mjs', '--list').trim().split('\n');
  const programs = [
    'main',
    'cli',
    'git/spawner-process',
    'egress/ssh-proxy-command',
    'intake/source-map-worker',
  ];
  expect(paths).toEqual(expect.arrayContaining(programs.map((name) => `lib/${name}.js`)));
  expect(paths).toEqual(
    expect.arrayContaining(['lib/web/public/mark.svg', 'lib/assistant/chat/chat-prompt.md']),
  );
  expect(paths.filter((path) => /\.tsx?$|testing/.test(path))).toEqual([]);
});

test('the bill of materials has every dependency with its hash, and no build tool', () => {
  const sbom = JSON.parse(runScript('scripts/sbom.mjs')) as {
    components: { purl: string; 'bom-ref': string; hashes?: unknown[] }[];
  };
  const names = sbom.components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
  expect(names).toEqual(expect.arrayContaining(['pkg:npm/fastify', 'pkg:npm/react', 'pkg:npm/pg']));
  expect(names).not.toContain('pkg:npm/vitest');
  expect(sbom.components.filter(({ hashes }) => !hashes)).toEqual([]);
  expect(new Set(sbom.components.map((one) => one['bom-ref'])).size).toBe(sbom.components.length);
});
