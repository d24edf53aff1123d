import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '#git/testing-remotes.ts';

/** What a commit changes and says. */
interface CommitSpec {
  branch?: string;
  message?: string | Buffer;
  author?: string;
  /** Path → content; null deletes. */
  files?: Record<string, string | Buffer | null>;
  /** Folder → tree of the repository that takes its place. */
  trees?: Record<string, string>;
  /** Raw lines of fast-import, such as links and submodules. */
  raw?: string;
  parent?: string;
}

/** A bare repository that is written by fast-import, so that any path and message can be. */
export interface AttackRepository {
  readonly path: string;
  /** Writes commits, oldest first. */
  commit(...specs: CommitSpec[]): Promise<void>;
  git(args: string[], input?: string | Buffer): Promise<string>;
}

/** Repositories on loopback by plain http. */
export interface Repositories {
  /** `127.0.0.1:1234`, as GIT_ALLOWED_PRIVATE_HOSTS takes it. */
  readonly host: string;
  /** The URL of a repository, which is built at the first call. */
  url(name: string, build: (repo: AttackRepository) => Promise<void>): Promise<string>;
  /** The same over https, which credentials travel by; `caFile` vouches for it. */
  secureUrl(name: string): string;
  readonly secureHost: string;
  readonly caFile: string;
  /** The repository itself, to push something new into it. */
  open(name: string): AttackRepository;
  /** Requests so far that carried this text in a header. */
  seen(text: string): string[];
  close(): Promise<void>;
}

/** Starts the server of repositories. A name that begins with `private-` asks for the password `right`. */
export async function serveRepositories(): Promise<Repositories> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-attack-repos-'));
  const built = new Map<string, Promise<void>>();
  const credentials: { url: string; header: string }[] = [];
  const certificate = makeCertificate();
  const answer = (request: IncomingMessage, reply: ServerResponse) => {
    const { authorization } = request.headers;
    if (authorization) credentials.push({ url: request.url ?? '', header: decodeBasic(authorization) });
    if (request.url?.startsWith('/private-') && !authorization) {
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    runBackend(folder, request, reply);
  };
  const servers = [createServer(answer), createTlsServer(certificate, answer)];
  const [host = '', secureHost = ''] = await Promise.all(servers.map(listen));
  const open = (name: string) => repositoryAt(join(folder, `${name}.git`));
  return {
    host,
    secureHost,
    caFile: certificate.file,
    secureUrl: (name) => `https://${secureHost}/${name}.git`,
    open,
    async url(name, build) {
      const make = async () => {
        await runGit(folder, ['init', '--bare', '-q', '--initial-branch=main', `${name}.git`]);
        await build(open(name));
      };
      if (!built.has(name)) built.set(name, make());
      await built.get(name);
      return `http://${host}/${name}.git`;
    },
    seen: (text) => credentials.filter(({ header }) => header.includes(text)).map(({ url }) => url),
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await certificate.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function decodeBasic(header: string): string {
  return header.startsWith('Basic ') ? Buffer.from(header.slice(6), 'base64').toString() : header;
}

function repositoryAt(path: string): AttackRepository {
  let clock = Date.UTC(2024, 0, 1) / 1000;
  const begun = new Set<string>();
  const git = (args: string[], input?: string | Buffer) => runGit(path, args, input);
  const exists = (ref: string) =>
    git(['rev-parse', '-q', '--verify', ref]).then(
      () => true,
      () => false,
    );
  return {
    path,
    git,
    async commit(...specs) {
      const parts: Buffer[] = [];
      for (const spec of specs) {
        const ref = `refs/heads/${spec.branch ?? 'main'}`;
        clock += 600;
        const hasParent = spec.parent !== undefined || begun.has(ref) || (await exists(ref));
        parts.push(...commitLines(spec, ref, clock, hasParent && !begun.has(ref)));
        begun.add(ref);
      }
      await git(
        ['fast-import', '--quiet', '--force', '--done'],
        Buffer.concat([...parts, Buffer.from('done\n')]),
      );
      begun.clear();
    },
  };
}

function commitLines(spec: CommitSpec, ref: string, clock: number, needsFrom: boolean): Buffer[] {
  const author = spec.author ?? 'Mallory <mallory@example.org>';
  const message = Buffer.isBuffer(spec.message) ? spec.message : Buffer.from(spec.message ?? 'Change');
  const lines = [
    Buffer.from(`commit ${ref}\nauthor ${author} ${clock} +0000\ncommitter ${author} ${clock} +0000\n`),
    ...dataLines(message),
    Buffer.from(needsFrom ? `from ${spec.parent ?? `${ref}^0`}\n` : ''),
  ];
  for (const [path, content] of Object.entries(spec.files ?? {})) {
    if (content === null) lines.push(Buffer.from(`D ${quote(path)}\n`));
    else lines.push(Buffer.from(`M 100644 inline ${quote(path)}\n`), ...dataLines(Buffer.from(content)));
  }
  for (const [path, tree] of Object.entries(spec.trees ?? {})) {
    lines.push(Buffer.from(`M 040000 ${tree} ${quote(path)}\n`));
  }
  return [...lines, Buffer.from(`${spec.raw ?? ''}\n`)];
}

function dataLines(content: Buffer): Buffer[] {
  return [Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')];
}

function quote(path: string): string {
  const escaped = [...Buffer.from(path)].map((byte) =>
    byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.join('')}"`;
}

const GIT_ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_CONFIG_KEY_1: 'uploadpack.allowFilter',
  GIT_CONFIG_VALUE_1: 'true',
};

/** Runs git and returns what it prints, trimmed. */
export async function runGit(cwd: string, args: string[], input: string | Buffer = ''): Promise<string> {
  const child = spawn('git', args, { cwd, env: GIT_ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  let errors = '';
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`git ${args[0]}: ${errors}`);
  return Buffer.concat(out).toString().trim();
}

function runBackend(folder: string, request: IncomingMessage, reply: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...GIT_ENVIRONMENT,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  reply.once('close', () => child.kill());
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    child.stdout.off('data', readHead);
    writeHead(reply, head.subarray(0, end).toString('latin1'));
    reply.write(head.subarray(end + 4));
    child.stdout.pipe(reply);
  };
  child.stdout.on('data', readHead);
  child.once('close', () => reply.end());
}

/** Headers as CGI gives them: `Status: 404 Not Found`, then the others. */
function writeHead(reply: ServerResponse, text: string): void {
  let status = 200;
  for (const line of text.split('\r\n')) {
    const [name, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()];
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else reply.setHeader(name, value);
  }
  reply.writeHead(status);
}

/**
 * The object name of a tree with `width` × `width` files below folders of long names: it takes a few objects, whatever
 * it holds, since its trees are shared.
 */
export async function wideTree(
  { git }: AttackRepository,
  { width, pathBytes, tag = 'x' }: { width: number; pathBytes: number; tag?: string },
): Promise<string> {
  const blob = await git(['hash-object', '-w', '--stdin'], `${tag}\n`);
  const makeTree = (entries: string[]) => git(['mktree'], `${entries.join('\n')}\n`);
  const names = Array.from({ length: width }, (_, index) => `${tag}${String(index).padStart(4, '0')}`);
  let tree = await makeTree(names.map((name) => `100644 blob ${blob}\t${name}.txt`));
  for (let length = 20; length < pathBytes; length += 201) {
    tree = await makeTree([`040000 tree ${tree}\t${tag.padEnd(200, 'n')}`]);
  }
  return await makeTree(names.map((name) => `040000 tree ${tree}\t${name}`));
}
