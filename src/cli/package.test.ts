import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { buildShop, SHOP_TRACE } from '#investigate/testing.ts';
import { readCiEnvironment } from '../config/ci-environment.ts';
import { runCommand } from './run.ts';

const run = promisify(execFile);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-package-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the package installs from a URL in an empty folder without a registry, and explains an error', async () => {
  const file = join(folder, 'hindsight.tgz');
  execFileSync(process.execPath, ['--no-warnings', 'scripts/pack-cli.mjs', file]);
  const archive = readFileSync(file);
  expect(archive.length).toBeLessThan(6 * 2 ** 20);
  const server = createServer((_request, reply) => reply.end(archive));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cli/hindsight.tgz`;
  const prefix = join(folder, 'global');
  const npm = ['install', '--global', '--prefix', prefix, '--registry', 'http://127.0.0.1:9/', '--no-audit'];
  await run('npm', [...npm, '--cache', join(folder, 'npm'), url], { cwd: folder });
  server.close();
  const { repository } = await buildShop();
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HINDSIGHT_CACHE_DIR: join(folder, 'cache'),
    HOME: folder,
  };
  const args = ['why', '--repo', repository.path];
  const told = spawnSync(join(prefix, 'bin/hindsight'), args, { input: SHOP_TRACE, env, encoding: 'utf8' });
  expect([told.status, told.stderr]).toEqual([0, expect.stringContaining('Indexing the repository')]);
  expect(told.stdout).toContain('src/checkout/total.js');
}, 60_000);

test('the workflows of docs/ci.md are YAML whose commands are accepted', async () => {
  const text = readFileSync('docs/ci.md', 'utf8');
  const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml!);
  expect(blocks).toHaveLength(2);
  for (const yaml of blocks) {
    const [document] = parseAllDocuments(yaml);
    expect((document as { errors: unknown[] }).errors).toEqual([]);
  }
  const commands = [...text.matchAll(/(?<![\w/.-])hindsight ((?:why|test-runs)\b[^`\n<>|]*)/g)].map(
    ([, words]) => words!.replaceAll('…', '').trim().split(/\s+/),
  );
  expect(commands.length).toBeGreaterThan(6);
  for (const words of commands) {
    const errors: string[] = [];
    const terminal = {
      ...{
        input: async () => null,
        print: () => {},
        confirm: async () => false,
        signal: new AbortController().signal,
      },
      tell: (line: string) => void errors.push(line),
    };
    const ci = readCiEnvironment({
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_REPOSITORY: 'a/b',
      GITHUB_TOKEN: 'x',
    });
    await runCommand(words, terminal, { cacheDir: folder, server: null, apiKey: null, ci });
    expect(errors.join('\n'), words.join(' ')).toMatch(/^(?:Pass the output|Name the server)/);
  }
});
