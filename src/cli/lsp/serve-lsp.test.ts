import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CodeActionRequest,
  CodeLensRequest,
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  ExecuteCommandRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  ShowDocumentRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { buildShop, type ShopHistory } from '#investigate/testing.ts';
import { mapLines } from './file-history.ts';

let shop: ShopHistory;
let checkout: string;
let server: ChildProcess;
let client: ProtocolConnection;
/** Texts that the server has opened in the editor. */
const opened: string[] = [];

beforeAll(async () => {
  shop = await buildShop();
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'hindsight-lsp-')));
  execFileSync('git', ['clone', '-q', shop.repository.path, join(checkout, 'shop')]);
  const options = ['--repo', join(checkout, 'shop'), '--cache', join(checkout, 'cache')];
  // The client of VS Code adds `--stdio`.
  server = spawn(process.execPath, [resolve('src/cli.ts'), 'lsp', ...options, '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  client = createProtocolConnection(
    new StreamMessageReader(server.stdout!),
    new StreamMessageWriter(server.stdin!),
  );
  client.onRequest(ShowDocumentRequest.type, async ({ uri }) => {
    opened.push(await readFile(fileURLToPath(uri), 'utf8'));
    return { success: true };
  });
  client.listen();
  await client.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  });
  await client.sendNotification(InitializedNotification.type, {});
});
afterAll(async () => {
  client.dispose();
  server.kill();
  await shop.repository.remove();
  await rm(checkout, { recursive: true, force: true });
});

const uri = (path = 'checkout/total.js') => pathToFileURL(join(checkout, 'shop', 'src', path)).href;

test('a line tells who changed it and why, also in an unsaved text; a definition its last fix', async () => {
  const text = await readFile(fileURLToPath(uri()), 'utf8');
  const document = { uri: uri(), languageId: 'javascript', version: 1, text: `// unsaved\n${text}` };
  await client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: document });
  const line = document.text.split('\n').findIndex((one) => one.includes('??') || one.includes('if ('));
  const hover = async (at: number) =>
    await client.sendRequest(HoverRequest.type, {
      textDocument: { uri: uri() },
      position: { line: at, character: 0 },
    });
  expect(await hover(0)).toBeNull();
  expect(JSON.stringify(await hover(Math.max(line, 1)))).toMatch(/[0-9a-f]{7}/);
  const money = uri('money.js');
  const moneyText = await readFile(fileURLToPath(money), 'utf8');
  await client.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri: money, languageId: 'javascript', version: 1, text: moneyText },
  });
  const lenses = await client.sendRequest(CodeLensRequest.type, { textDocument: { uri: money } });
  expect(lenses!.map(({ command, range }) => [command!.title, range.start.line])).toEqual([
    [`Fixed by ${shop.refix.slice(0, 7)}: Fix negative amounts in money`, 0],
  ]);
  const { command, arguments: args } = lenses![0]!.command!;
  await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args! });
  expect(opened.at(-1)).toMatch(/^commit .*\n\n {4}Fix negative amounts in money\n.*\n@@ /s);
});

test('a diagnostic is explained from the history, in a document of its own', async () => {
  const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 5 } };
  const diagnostic = { range, message: "TypeError: Cannot read properties of undefined (reading 'rate')" };
  const actions = await client.sendRequest(CodeActionRequest.type, {
    textDocument: { uri: uri() },
    range,
    context: { diagnostics: [diagnostic] },
  });
  const { command } = actions![0] as { command: { command: string; arguments: unknown[] } };
  const { command: name, arguments: args } = command;
  await client.sendRequest(ExecuteCommandRequest.type, { command: name, arguments: args });
  expect(opened.at(-1)).toContain('###');
});

test('the server ends with its client', async () => {
  await client.sendRequest(ShutdownRequest.type);
  const ended = new Promise<number | null>((end) => server.once('exit', end));
  await client.sendNotification(ExitNotification.type);
  expect(await ended).toBe(0);
});

test.each([
  ['nothing changed', ['a', 'b'], ['a', 'b'], [0, 1]],
  ['a line before', ['a', 'b'], ['x', 'a', 'b'], [null, 0, 1]],
  ['a changed line', ['a', 'b', 'c'], ['a', 'x', 'c'], [0, null, 2]],
  ['deleted lines', ['a', 'b', 'c', 'd'], ['a', 'd'], [0, 3]],
  ['all new', [], ['a'], [null]],
])('lines are aligned: %s', (_case, before, after, map) => expect(mapLines(before, after)).toEqual(map));
