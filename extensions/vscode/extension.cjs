const { commands, window, workspace } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

/** Running clients by the URI of their workspace folder. */
const clients = new Map();
let output;
let started = 0;

/** Starts one language server for each workspace folder on this computer. */
exports.activate = async function activate(context) {
  output = window.createOutputChannel('Hindsight', { log: true });
  context.subscriptions.push(
    output,
    commands.registerCommand('hindsight.showOutput', () => output.show()),
    commands.registerCommand('hindsight.restart', restart),
    workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
      Promise.all([...removed.map(stop), ...added.map(start)]),
    ),
    workspace.onDidChangeConfiguration(
      (change) => change.affectsConfiguration('hindsight.path') && restart(),
    ),
  );
  await Promise.all((workspace.workspaceFolders ?? []).map(start));
};

/** Stops every language server. */
exports.deactivate = async function deactivate() {
  await Promise.all([...clients.keys()].map((uri) => stopByUri(uri)));
};

async function restart() {
  await exports.deactivate();
  await Promise.all((workspace.workspaceFolders ?? []).map(start));
}

async function start(folder) {
  const uri = folder.uri.toString();
  if (folder.uri.scheme !== 'file' || clients.has(uri)) return;
  const command = workspace.getConfiguration('hindsight').get('path') || 'hindsight';
  // npm installs programs as scripts of the shell on Windows. The shell gets no path of the folder, which it would parse.
  const shell = process.platform === 'win32';
  const run = {
    command: shell ? `"${command}"` : command,
    args: ['lsp'],
    options: {
      cwd: folder.uri.fsPath,
      shell,
      // Without this, cmd.exe prefers a `hindsight.cmd` of the repository to that on the PATH.
      env: { ...process.env, NoDefaultCurrentDirectoryInExePath: '1' },
    },
    transport: TransportKind.stdio,
  };
  const client = new LanguageClient('hindsight', `Hindsight: ${folder.name}`, run, {
    documentSelector: [{ scheme: 'file', pattern: `${folder.uri.fsPath.replaceAll('\\', '/')}/**/*` }],
    workspaceFolder: folder,
    // Commands are registered by name, once in the editor.
    initializationOptions: { commandSuffix: `.${started++}` },
    outputChannel: output,
  });
  clients.set(uri, client);
  try {
    await client.start();
  } catch (error) {
    clients.delete(uri);
    output.error(`${command} lsp: ${error instanceof Error ? error.message : String(error)}`);
    void window.showWarningMessage(
      'Hindsight could not start. Set “hindsight.path” to the program, and see the log.',
    );
  }
}

async function stop(folder) {
  await stopByUri(folder.uri.toString());
}

async function stopByUri(uri) {
  const client = clients.get(uri);
  clients.delete(uri);
  // A client that never started has nothing to stop.
  await client?.stop().catch(() => undefined);
}
