import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeAction,
  type CodeLens,
  type Connection,
  createConnection,
  type Hover,
  type InitializeResult,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { escapeMarkdown, fencedBlock, formatCommit } from '#assistant/answer/markdown.ts';
import { git } from '#git/run.ts';
import { FileHistories, type IndexedRepository } from './file-history.ts';

/** Commands that the server runs for its own code lenses and actions. */
const COMMANDS = { commit: 'hindsight.showCommit', explain: 'hindsight.explain' };
const MAX_BODY_LINES = 12;
const MAX_PATCH_BYTES = 8 * 2 ** 20;
const MAX_MESSAGE_LENGTH = 20_000;
const MAX_ACTIONS = 10;

interface LspOptions<R extends IndexedRepository> {
  /** Root of the work tree, without symbolic links. */
  folder: string;
  /** Folder for answers that the editor opens. */
  cacheDir: string;
  open(): Promise<R>;
  /** Answers an error, as Markdown. */
  explain(local: R, error: string): Promise<string>;
  signal: AbortSignal;
}

/**
 * Serves the Language Server Protocol over standard input and output: a hover says who changed a line and why, a code lens names
 * the last fix of a definition, and a code action explains a diagnostic. Resolves when the client ends.
 */
export async function serveLanguageServer<R extends IndexedRepository>(
  options: LspOptions<R>,
): Promise<void> {
  const connection = createConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  const documents = new TextDocuments(TextDocument);
  const session = openSession(connection, options);
  let commands = COMMANDS;
  connection.onInitialize(({ initializationOptions }) => {
    commands = commandsFor(initializationOptions);
    return capabilities(commands);
  });
  connection.onHover(async ({ textDocument, position }) => {
    const document = documents.get(textDocument.uri);
    return document ? await hover(await session(), document, position.line) : null;
  });
  connection.onCodeLens(async ({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    return document ? await codeLenses(await session(), document, commands.commit) : [];
  });
  connection.onCodeAction(({ textDocument, context }) =>
    context.diagnostics.slice(0, MAX_ACTIONS).map((diagnostic): CodeAction => {
      const { message, range } = diagnostic;
      const title = 'Why does this fail?';
      const args = [textDocument.uri, range.start.line, message.toString()];
      return {
        title,
        diagnostics: [diagnostic],
        command: { title, command: commands.explain, arguments: args },
      };
    }),
  );
  connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
    const shown =
      command === commands.commit
        ? await commitPatch(await session(), String(args[0]), options.signal)
        : command === commands.explain
          ? await explainDiagnostic(await session(), options, args)
          : null;
    if (shown !== null) await show(connection, options.cacheDir, shown);
    return shown?.text ?? null;
  });
  documents.listen(connection);
  const ended = new Promise<void>((resolve) => {
    connection.onExit(() => resolve());
    process.stdin.once('end', resolve);
    options.signal.addEventListener('abort', () => resolve());
  });
  connection.listen();
  await ended;
  connection.dispose();
}

/** Commands of one server; a client of several servers gives each a suffix, since editors register commands by name. */
function commandsFor(options: unknown): typeof COMMANDS {
  const { commandSuffix } = (options ?? {}) as { commandSuffix?: unknown };
  const suffix =
    typeof commandSuffix === 'string' && /^[\w.-]{1,40}$/.test(commandSuffix) ? commandSuffix : '';
  return { commit: `${COMMANDS.commit}${suffix}`, explain: `${COMMANDS.explain}${suffix}` };
}

const capabilities = (commands: typeof COMMANDS): InitializeResult => ({
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    hoverProvider: true,
    codeLensProvider: {},
    codeActionProvider: true,
    executeCommandProvider: { commands: Object.values(commands) },
  },
  serverInfo: { name: 'Hindsight' },
});

/** A text that the editor opens, with the name of its tab. */
interface ShownText {
  name: string;
  text: string;
}

/** A repository with its histories. */
interface Session<R extends IndexedRepository = IndexedRepository> {
  local: R;
  histories: FileHistories;
  folder: string;
}

/** Opens the repository at the first request; a failure is logged, and the next request tries again. */
function openSession<R extends IndexedRepository>(
  connection: Connection,
  { open, folder, signal }: LspOptions<R>,
): () => Promise<Session<R>> {
  let session: Promise<Session<R>> | null = null;
  return async () => {
    session ??= open().then((local) => ({
      local,
      histories: new FileHistories(local, signal),
      folder,
    }));
    return await session.catch((error: unknown) => {
      session = null;
      connection.console.error(error instanceof Error ? error.message : String(error));
      throw error;
    });
  };
}

/** Path of a document in the repository. */
function pathOf({ folder }: Session, uri: string): string {
  return uri.startsWith('file:') ? relative(folder, fileURLToPath(uri)).replaceAll(sep, '/') : '';
}

async function hover(session: Session, document: TextDocument, line: number): Promise<Hover | null> {
  const blamed = await session.histories.blameText(pathOf(session, document.uri), document.getText());
  const oid = blamed[line]?.oid;
  return oid === undefined ? null : { contents: { kind: 'markdown', value: showCommit(session, oid) } };
}

async function codeLenses(
  session: Session,
  document: TextDocument,
  showCommand: string,
): Promise<CodeLens[]> {
  const { commits } = session.local.index;
  const path = pathOf(session, document.uri);
  const definitions = await session.histories.fixedDefinitions(path, document.getText());
  return definitions.map(({ line, fix }) => ({
    range: { start: { line, character: 0 }, end: { line, character: 0 } },
    command: {
      title: `Fixed by ${commits.oid(fix).slice(0, 7)}: ${commits.subject(fix)}`,
      command: showCommand,
      arguments: [commits.oid(fix)],
    },
  }));
}

/** A commit with the beginning of its body, as Markdown. */
function showCommit({ local: { index } }: Session, hash: string): string {
  const commit = index.commits.find(hash);
  if (commit < 0) return `${escapeMarkdown(hash.slice(0, 40))} is not in the index.`;
  const [, ...rest] = index.commits.message(commit).split('\n');
  const body = rest.join('\n').trim().split('\n').slice(0, MAX_BODY_LINES).join('\n');
  const story = formatCommit(index, commit);
  return body === '' ? story : `${story}\n\n${fencedBlock('', body)}`;
}

/** Answers a diagnostic (document, line from 0, message) as an error at its line. */
async function explainDiagnostic<R extends IndexedRepository>(
  session: Session<R>,
  { explain }: LspOptions<R>,
  [uri, line, message]: unknown[],
): Promise<ShownText> {
  const place = `${pathOf(session, String(uri))}:${Number(line) + 1}`;
  const error = `${String(message).slice(0, MAX_MESSAGE_LENGTH)}\n    at ${place}`;
  return { name: 'why.md', text: await explain(session.local, error) };
}

/** A commit as `git show` prints it. */
async function commitPatch({ local }: Session, hash: string, signal: AbortSignal): Promise<ShownText | null> {
  const { repo, index } = local;
  const commit = index.commits.find(hash);
  if (commit < 0) return null;
  const oid = index.commits.oid(commit);
  const args = ['show', '--patch', '--stat', '--no-color', '--no-ext-diff', '--no-textconv'];
  const { stdout } = await git(repo, [...args, '--diff-merges=first-parent'], {
    ...{ name: 'show', revisions: [oid], maxOutput: MAX_PATCH_BYTES, signal },
  });
  return { name: `${oid.slice(0, 7)}.diff`, text: stdout.toString('utf8') };
}

/** Opens a text beside the editor; clients that cannot get its beginning as a message. */
async function show(connection: Connection, cacheDir: string, { name, text }: ShownText): Promise<void> {
  // Texts of one name lie apart, so that each has its own tab.
  const folder = join(cacheDir, 'lsp', createHash('sha256').update(text).digest('hex').slice(0, 16));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
  const uri = pathToFileURL(join(folder, name)).href;
  const shown = await connection.window.showDocument({ uri, takeFocus: true }).catch(() => null);
  if (!shown?.success) connection.window.showInformationMessage(text.slice(0, 500));
}
