import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataCommand, quotePath, serveRepositories as serveFolder } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';

/** A commit's changes, message and author. */
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

/** A bare repository written by fast-import, which accepts any path and message. */
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
  /** The same over https, which credentials require; `caFile` holds its certificate. */
  secureUrl(name: string): string;
  readonly secureHost: string;
  readonly caFile: string;
  /** Opens the repository to add commits. */
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
      return true;
    }
    return false;
  };
  const [plain, secure] = await Promise.all([
    serveFolder(folder, { answer }),
    serveFolder(folder, { answer, tls: certificate }),
  ]);
  const open = (name: string) => repositoryAt(join(folder, `${name}.git`));
  return {
    host: plain.host,
    secureHost: secure.host,
    caFile: certificate.file,
    secureUrl: (name) => `${secure.url}/${name}.git`,
    open,
    async url(name, build) {
      const make = async () => {
        await runGit(folder, ['init', '--bare', '-q', '--initial-branch=main', `${name}.git`]);
        await build(open(name));
      };
      if (!built.has(name)) built.set(name, make());
      await built.get(name);
      return `${plain.url}/${name}.git`;
    },
    seen: (text) => credentials.filter(({ header }) => header.includes(text)).map(({ url }) => url),
    async close() {
      await Promise.all([plain.close(), secure.close()]);
      await certificate.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function decodeBasic(header: string): string {
  return header.startsWith('Basic ') ? Buffer.from(header.slice(6), 'base64').toString() : header;
}

function repositoryAt(path: string): AttackRepository {
  let clock = Date.UTC(2024, 0, 1) / 1000;
  const started = new Set<string>();
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
        const hasParent = spec.parent !== undefined || started.has(ref) || (await exists(ref));
        parts.push(...commitLines(spec, ref, clock, hasParent && !started.has(ref)));
        started.add(ref);
      }
      await git(
        ['fast-import', '--quiet', '--force', '--done'],
        Buffer.concat([...parts, Buffer.from('done\n')]),
      );
      started.clear();
    },
  };
}

function commitLines(spec: CommitSpec, ref: string, clock: number, needsFrom: boolean): Buffer[] {
  const author = spec.author ?? 'Mallory <mallory@example.org>';
  const message = Buffer.isBuffer(spec.message) ? spec.message : Buffer.from(spec.message ?? 'Change');
  const lines = [
    Buffer.from(`commit ${ref}\nauthor ${author} ${clock} +0000\ncommitter ${author} ${clock} +0000\n`),
    dataCommand(message),
    Buffer.from(needsFrom ? `from ${spec.parent ?? `${ref}^0`}\n` : ''),
  ];
  for (const [path, content] of Object.entries(spec.files ?? {})) {
    if (content === null) lines.push(Buffer.from(`D ${quotePath(Buffer.from(path))}\n`));
    else
      lines.push(
        Buffer.from(`M 100644 inline ${quotePath(Buffer.from(path))}\n`),
        dataCommand(Buffer.from(content)),
      );
  }
  for (const [path, tree] of Object.entries(spec.trees ?? {})) {
    lines.push(Buffer.from(`M 040000 ${tree} ${quotePath(Buffer.from(path))}\n`));
  }
  return [...lines, Buffer.from(`${spec.raw ?? ''}\n`)];
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
