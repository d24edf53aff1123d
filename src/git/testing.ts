import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, gitStream } from './run.ts';

/** Fields of a test commit. Dates are ISO 8601; a name without an email gets one. */
interface TestCommit {
  message?: string;
  author?: string;
  email?: string;
  date?: string;
}

/** Path → content; null deletes. Paths may be odd: anything but NUL. */
export type TestFiles = Record<string, string | Buffer | null>;

/** Stores content that no tree refers to and returns its hash. */
export async function storeBlob(repo: string, content: Buffer): Promise<string> {
  const { stdout } = await git(repo, ['hash-object', '-w', '--stdin'], {
    name: 'hash-object',
    input: content,
  });
  return stdout.toString().trim();
}

/** A real bare repository whose history a test writes commit by commit. */
export interface TestRepository {
  /** Absolute path of the bare repository. */
  readonly path: string;
  /** The folder that holds it: what `serveRepositories` serves. */
  readonly folder: string;
  readonly name: string;
  /** Commits on the current branch; returns the full hash. */
  commit(words: TestCommit & { files?: TestFiles; rawPaths?: [Buffer, string][] }): Promise<string>;
  /** Commits a rename without a change of content. */
  rename(from: string, to: string, words?: TestCommit): Promise<string>;
  /** Starts a branch at the current commit, or at `from`, and goes there. */
  branch(name: string, from?: string): Promise<void>;
  switch(name: string): Promise<void>;
  /** Merges a branch into the current one; where both changed a file, the merged one wins. */
  merge(name: string, words?: TestCommit): Promise<string>;
  /** Commits the opposite of a commit, with the message that `git revert` writes. */
  revert(oid: string, words?: TestCommit): Promise<string>;
  tag(name: string, oid?: string): Promise<void>;
  /** Full hash of the current commit, or of a branch or tag. */
  head(ref?: string): Promise<string>;
  deleteBranch(name: string): Promise<void>;
  /** Deletes the folder. */
  remove(): Promise<void>;
}

/**
 * Builds a repository: `await buildRepository(async (repo) => { await repo.commit({ files: { 'a.ts': '…' } }) })`.
 * Commits go through `git fast-import`, so that no work tree is needed and any path can be written.
 * Commits without a date are an hour apart, from 2024-01-01 on.
 */
export async function buildRepository(
  steps: (repo: TestRepository) => Promise<void>,
  options: { name?: string; objectFormat?: 'sha1' | 'sha256' } = {},
): Promise<TestRepository> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-repository-'));
  const name = options.name ?? 'project.git';
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  const format = `--object-format=${options.objectFormat ?? 'sha1'}`;
  await git(null, ['init', '--bare', '-q', '--template=', '--initial-branch=main', format, '--', path], {
    name: 'init',
  });
  const repo = repositoryAt(folder, name);
  await steps(repo);
  return repo;
}

function repositoryAt(folder: string, name: string): TestRepository {
  const path = join(folder, name);
  let current = 'main';
  /** Branches that are known to have a commit. */
  const started = new Set<string>();
  let clock = Date.UTC(2024, 0, 1) / 1000;

  const run = async (args: string[], input = '') =>
    (await git(path, args, { name: args[0]!, input })).stdout.toString().trim();
  const find = async (ref: string) => {
    const { exitCode, stdout } = await git(path, ['rev-parse', '-q', '--verify', `${ref}^{commit}`], {
      name: 'rev-parse',
      ok: [0, 1, 128],
    });
    return exitCode === 0 ? stdout.toString().trim() : null;
  };

  /** Writes one commit whose tree is the current one with `changes`, lines of fast-import. */
  const write = async (words: TestCommit, fallback: string, changes: Buffer[], merged?: string) => {
    clock += 3600;
    const when = words.date === undefined ? clock : Date.parse(words.date) / 1000;
    const author = words.author ?? 'Ada Lovelace';
    const email = words.email ?? `${author.split(' ')[0]!.toLowerCase()}@example.org`;
    const message = Buffer.from(words.message ?? fallback);
    const ref = `refs/heads/${current}`;
    const hasParent = started.has(current) || (await find(ref)) !== null;
    started.add(current);
    const input = Buffer.concat([
      Buffer.from(`commit ${ref}\nmark :1\nauthor ${author} <${email}> ${when} +0000\n`),
      Buffer.from(`committer ${author} <${email}> ${when} +0000\n`),
      dataCommand(message),
      Buffer.from(hasParent ? `from ${ref}^0\n` : ''),
      Buffer.from(merged === undefined ? '' : `merge ${merged}\n`),
      ...changes,
      Buffer.from('\nget-mark :1\ndone\n'),
    ]);
    const options = ['--quiet', '--done', '--date-format=raw-permissive', '--force'];
    const { stdout } = await git(path, ['fast-import', ...options], { name: 'fast-import', input });
    return stdout.toString().trim();
  };

  /** Lines of fast-import that turn commit `from` into commit `to`. */
  const difference = async (from: string, to: string) => {
    const { stdout } = await git(path, ['diff-tree', '-r', '-z', '--no-renames', from, to], { name: 'diff' });
    const parts = stdout.toString('latin1').split('\0');
    const lines: Buffer[] = [];
    for (let index = 0; index + 1 < parts.length; index += 2) {
      const [, mode, , oid, status] = parts[index]!.split(' ');
      const quoted = quotePath(Buffer.from(parts[index + 1]!, 'latin1'));
      lines.push(Buffer.from(status === 'D' ? `D ${quoted}\n` : `M ${mode} ${oid} ${quoted}\n`));
    }
    return lines;
  };

  return {
    path,
    folder,
    name,
    commit: ({ files = {}, rawPaths = [], ...words }) =>
      write(words, 'Change the code', [
        ...Object.entries(files).map(([file, content]) => fileChange(Buffer.from(file), content)),
        ...rawPaths.map(([file, content]) => fileChange(file, content)),
      ]),
    rename: (from, to, words = {}) =>
      write(words, `Rename ${from} to ${to}`, [
        Buffer.from(`R ${quotePath(Buffer.from(from))} ${quotePath(Buffer.from(to))}\n`),
      ]),
    async branch(branch, from) {
      await run(['update-ref', `refs/heads/${branch}`, (await find(from ?? current))!]);
      current = branch;
    },
    async switch(branch) {
      current = branch;
    },
    async merge(branch, words = {}) {
      const [ours, theirs] = [(await find(current))!, (await find(branch))!];
      const base = await run(['merge-base', ours, theirs]);
      return write(words, `Merge branch '${branch}'`, await difference(base, theirs), theirs);
    },
    async revert(oid, words = {}) {
      const subject = await run(['show', '-s', '--format=%s', oid]);
      const message = `Revert "${subject}"\n\nThis reverts commit ${oid}.\n`;
      return write(words, message, await difference(oid, `${oid}^`));
    },
    async tag(tag, oid) {
      await run(['update-ref', `refs/tags/${tag}`, oid ?? (await find(current))!]);
    },
    head: async (ref) => (await find(ref ?? current)) ?? run(['rev-parse', '--verify', ref ?? current]),
    async deleteBranch(branch) {
      started.delete(branch);
      await run(['update-ref', '-d', `refs/heads/${branch}`]);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A `data` command of fast-import. */
export function dataCommand(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')]);
}

function fileChange(path: Buffer, content: string | Buffer | null): Buffer {
  if (content === null) {
    return Buffer.from(`D ${quotePath(path)}\n`);
  }
  return Buffer.concat([
    Buffer.from(`M 100644 inline ${quotePath(path)}\n`),
    dataCommand(Buffer.from(content)),
  ]);
}

/** Quotes a path as a C string of fast-import: every byte beyond plain ASCII in octal. */
export function quotePath(path: Buffer): string {
  const escaped = (byte: number) =>
    byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`;
  return `"${[...path].map(escaped).join('')}"`;
}

/** A git server on loopback, over plain http. */
export interface GitServer {
  /** Base address without a slash at the end: `http://127.0.0.1:4321`. */
  readonly url: string;
  /** `127.0.0.1:4321`, as GIT_ALLOWED_PRIVATE_HOSTS takes it. */
  readonly host: string;
  /** Every request so far: method and address. */
  readonly hits: string[];
  close(): Promise<void>;
}

/**
 * Serves every repository under a folder by `git http-backend`, on 127.0.0.1 at a port of its own.
 * `answer` may reply instead (redirects, errors, silence) by returning true.
 */
export async function serveRepositories(
  folder: string,
  options: {
    answer?: (request: IncomingMessage, reply: ServerResponse) => boolean;
    /** Serves https. */
    tls?: { key: string; cert: string };
    /** Takes pushes, with these hooks if any. */
    receivePack?: { hooksPath?: string };
  } = {},
): Promise<GitServer> {
  const hits: string[] = [];
  const serve = (request: IncomingMessage, reply: ServerResponse) => {
    hits.push(`${request.method} ${request.url}`);
    if (!options.answer?.(request, reply)) {
      backend(folder, request, reply, options.receivePack).catch(() => reply.destroy());
    }
  };
  const server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${options.tls ? 'https' : 'http'}://${host}`,
    host,
    hits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function backend(
  folder: string,
  request: IncomingMessage,
  reply: ServerResponse,
  receivePack: { hooksPath?: string } | undefined,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const stopped = new AbortController();
  reply.once('close', () => stopped.abort());
  const output = gitStream(null, ['http-backend'], {
    name: 'http-backend',
    input: Buffer.concat(chunks),
    timeoutMs: 3_600_000,
    limits: { memory: 8 * 2 ** 30 },
    signal: stopped.signal,
    config: {
      'safe.directory': '*',
      'uploadpack.allowFilter': 'true',
      'http.receivepack': String(receivePack !== undefined),
      ...(receivePack?.hooksPath && { 'core.hooksPath': receivePack.hooksPath }),
    },
    env: {
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of output) {
    if (head !== null) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) {
        continue;
      }
      writeHead(reply, head.subarray(0, end).toString('latin1'));
      reply.write(head.subarray(end + 4));
      head = null;
    } else if (!reply.write(chunk)) {
      await once(reply, 'drain', { signal: stopped.signal });
    }
  }
  reply.end();
}

/** Headers as CGI gives them: `Status: 404 Not Found`, then the others. */
function writeHead(reply: ServerResponse, text: string): void {
  let status = 200;
  for (const line of text.split('\r\n')) {
    const [name, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()];
    if (name.toLowerCase() === 'status') {
      status = Number.parseInt(value, 10);
    } else {
      reply.setHeader(name, value);
    }
  }
  reply.writeHead(status);
}
