import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../extensions/vscode');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const source = readFileSync(join(folder, manifest.main), 'utf8');

test('the manifest names what the extension registers and reads', () => {
  const commands: string[] = manifest.contributes.commands.map((one: { command: string }) => one.command);
  for (const command of commands) expect(source).toContain(`registerCommand('${command}'`);
  expect(source).toContain(`getConfiguration('hindsight').get('path')`);
  expect(Object.keys(manifest.contributes.configuration.properties)).toContain('hindsight.path');
  expect(source).toMatch(/exports\.activate = .*exports\.deactivate = /s);
  expect(existsSync(join(folder, 'README.md'))).toBe(true);
});

test('a repository can neither start the extension untrusted nor choose its program', () => {
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  expect(manifest.contributes.configuration.properties['hindsight.path'].scope).toBe('machine');
});

test('its packages have exact versions', () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

interface ServerRun {
  command: string;
  args: string[];
  options: { cwd: string; shell: boolean; env: Record<string, string> };
}

/** The few parts of VS Code that the extension uses, and a client that records its servers. */
function startExtension({ fails = false, platform = 'linux' } = {}) {
  const servers: { run: ServerRun; suffix: string }[] = [];
  const seen = { commands: [] as string[], warnings: [] as string[], logged: [] as string[], stopped: 0 };
  class LanguageClient {
    constructor(_id: string, _name: string, run: ServerRun, options: { initializationOptions: object }) {
      const { commandSuffix } = options.initializationOptions as { commandSuffix: string };
      servers.push({ run, suffix: commandSuffix });
    }
    async start() {
      if (fails) throw new Error('spawn hindsight ENOENT');
    }
    async stop() {
      seen.stopped += 1;
    }
  }
  const folderAt = (scheme: string, path: string) => ({
    name: path,
    uri: { scheme, fsPath: path, toString: () => `${scheme}://${path}` },
  });
  const vscode = {
    commands: { registerCommand: (name: string) => seen.commands.push(name) },
    window: {
      // A client needs the methods of a log, which a plain channel lacks.
      createOutputChannel: (_name: string, { log }: { log?: boolean } = {}) =>
        log ? { error: (text: string) => seen.logged.push(text), show: () => {} } : {},
      showWarningMessage: (text: string) => seen.warnings.push(text),
    },
    workspace: {
      workspaceFolders: [folderAt('file', '/a'), folderAt('file', '/b'), folderAt('vscode-vfs', '/c')],
      getConfiguration: () => ({ get: () => 'hindsight' }),
      onDidChangeWorkspaceFolders: () => {},
      onDidChangeConfiguration: () => {},
    },
  };
  const modules: Record<string, object> = {
    vscode,
    'vscode-languageclient/node': { LanguageClient, TransportKind: { stdio: 0 } },
  };
  const exports = {} as { activate(context: object): Promise<void>; deactivate(): Promise<void> };
  runInThisContext(`(function (exports, require, process) {${source}\n})`)(
    exports,
    (name: string) => modules[name],
    { platform, env: { PATH: '/bin' } },
  );
  return { exports, servers, seen };
}

test('activation starts a server for each folder on this computer, and deactivation stops them', async () => {
  const { exports, servers, seen } = startExtension();
  await exports.activate({ subscriptions: [] });
  expect(servers.map(({ run }) => run.options.cwd)).toEqual(['/a', '/b']);
  for (const { run } of servers) {
    expect(run).toMatchObject({ command: 'hindsight', args: ['lsp'], options: { shell: false } });
  }
  expect(new Set(servers.map(({ suffix }) => suffix)).size).toBe(2);
  expect(seen.commands.sort()).toEqual(['hindsight.restart', 'hindsight.showOutput']);
  await exports.deactivate();
  expect(seen.stopped).toBe(2);
});

test('the shell of Windows parses no path of a repository, and looks for no program in it', async () => {
  const { exports, servers } = startExtension({ platform: 'win32' });
  await exports.activate({ subscriptions: [] });
  for (const { run } of servers) {
    expect(run).toMatchObject({ command: '"hindsight"', args: ['lsp'] });
    expect(run.options).toMatchObject({
      shell: true,
      env: { PATH: '/bin', NoDefaultCurrentDirectoryInExePath: '1' },
    });
  }
});

test('a program that is missing is reported, and the editor goes on', async () => {
  const { exports, seen } = startExtension({ fails: true });
  await exports.activate({ subscriptions: [] });
  expect(seen.warnings).toHaveLength(2);
  expect(seen.logged).toEqual(Array(2).fill('hindsight lsp: spawn hindsight ENOENT'));
  await exports.deactivate();
  expect(seen.stopped).toBe(0);
});
