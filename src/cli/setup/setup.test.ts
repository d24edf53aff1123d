import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCiEnvironment } from '../../config/ci-environment.ts';
import { runCommand } from '../run.ts';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'hindsight-setup-'));
});
afterEach(() => rm(project, { recursive: true }));

async function setup(words: string[], { isConfirmed = false, server = null as string | null } = {}) {
  const lines: string[] = [];
  const terminal = {
    input: async () => null,
    print: (text: string) => void lines.push(text),
    tell: (text: string) => void lines.push(text),
    confirm: async () => isConfirmed,
    signal: new AbortController().signal,
  };
  const config = { cacheDir: project, server, apiKey: 'hs_secret', ci: readCiEnvironment({}) };
  const code = await runCommand(['setup', ...words, '--repo', project], terminal, config);
  return { code, out: lines.join('\n') };
}

const read = async (...path: string[]) => await readFile(join(project, ...path), 'utf8');

test('settings are shown and written only after a yes; other servers stay', async () => {
  await mkdir(join(project, '.cursor'));
  await writeFile(join(project, '.cursor', 'mcp.json'), '{"mcpServers":{"other":{"command":"x"}},"y":1}');
  const asked = await setup(['cursor']);
  expect(asked.code).toBe(1);
  expect(asked.out).toContain('"args"');
  expect(await read('.cursor', 'mcp.json')).not.toContain('hindsight');
  expect((await setup(['cursor'], { isConfirmed: true })).code).toBe(0);
  expect(JSON.parse(await read('.cursor', 'mcp.json'))).toEqual({
    mcpServers: {
      other: { command: 'x' },
      hindsight: { command: 'hindsight', args: ['mcp', '--repo', project] },
    },
    y: 1,
  });
  expect((await setup(['cursor', '--yes'])).out).toBe('Nothing to change.');
  expect((await setup(['cursor', '--undo', '--yes'])).code).toBe(0);
  expect(JSON.parse(await read('.cursor', 'mcp.json'))).toEqual({
    mcpServers: { other: { command: 'x' } },
    y: 1,
  });
});

test('Claude Code gets a skill as well; undoing deletes what was created', async () => {
  expect((await setup(['claude-code', '--yes'])).code).toBe(0);
  const skill = await read('.claude', 'skills', 'hindsight', 'SKILL.md');
  expect(skill).toMatch(/^---\nname: hindsight\n/);
  expect(skill).toContain('`investigate_error`');
  expect((await setup(['claude-code', '--undo', '--yes'])).code).toBe(0);
  await expect(read('.mcp.json')).rejects.toThrow('ENOENT');
  await expect(read('.claude', 'skills', 'hindsight', 'SKILL.md')).rejects.toThrow('ENOENT');
});

test('a server is named by its URL, and the key stays in the environment', async () => {
  const { code } = await setup(['vscode', '--yes'], { server: 'https://hindsight.example/' });
  expect(code).toBe(0);
  expect(JSON.parse(await read('.vscode', 'mcp.json')).servers.hindsight).toEqual({
    type: 'http',
    url: 'https://hindsight.example/mcp',
    headers: { Authorization: `Bearer \${env:HINDSIGHT_API_KEY}` },
  });
});

test.each([
  ['an unknown client', ['emacs'], 'claude-code, cursor'],
  ['a file with comments', ['gemini-cli'], 'by hand'],
])('%s is refused', async (_case, words, text) => {
  await mkdir(join(project, '.gemini'));
  await writeFile(join(project, '.gemini', 'settings.json'), '{ // mine\n}');
  const { code, out } = await setup([...words, '--yes']);
  expect([code, out]).toEqual([2, expect.stringContaining(text)]);
});
