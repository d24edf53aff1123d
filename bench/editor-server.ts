import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTree } from '../e2e/attack/process-tree.ts';
import { freePort } from '../src/git/testing-remotes.ts';

const RESULTS = join(import.meta.dirname, 'results/editor.md');

/** A reply; a call that gets no answer has status 0. */
interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of many routes.
  body: any;
}

/** The program in a process of its own with PostgreSQL below it. */
export interface EditorServer {
  url: string;
  start(): Promise<void>;
  /** Kills the program with SIGKILL, and with `all` also PostgreSQL and the git processes that it runs. */
  kill(options: { all: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the program with a data folder; repositories are read from a folder of this machine. */
export async function startEditorServer(dataDir: string, repositories: string): Promise<EditorServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess;
  const start = async () => {
    child = spawn(process.execPath, ['src/main.ts'], {
      cwd: join(import.meta.dirname, '..'),
      env: {
        PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        PORT: String(port),
        DATA_DIR: dataDir,
        GIT_LOCAL_ROOTS: repositories,
        DISK_RESERVE_MB: '1',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server ended.');
      await sleep(20);
    }
  };
  await start();
  return {
    url,
    start,
    async kill({ all }) {
      const ended = once(child, 'exit');
      for (const pid of all ? readTree(child.pid!).pids : [child.pid!]) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended.
        }
      }
      await ended;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Calls of an account. */
export type Account = Awaited<ReturnType<typeof signUp>>;

/** Creates an account. */
export async function signUp(url: string, username = 'ada') {
  const account = { username, email: `${username}@example.org`, password: 'a quiet harbour at dawn' };
  const send = async (method: string, path: string, body?: object, token = ''): Promise<Reply> => {
    try {
      const response = await fetch(`${url}/api${path}`, {
        method,
        signal: AbortSignal.timeout(30_000),
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json().catch(() => null) };
    } catch {
      return { status: 0, body: null };
    }
  };
  const { status, body } = await send('POST', '/auth/register', account);
  if (status !== 201) throw new Error(`Signing up answered ${status}.`);
  const session = { token: body.access_token as string };
  const call = async (method: string, path: string, sent?: object) => {
    const reply = await send(method, path, sent, session.token);
    if (reply.status !== 401) return reply;
    // Measurements take longer than a token is valid.
    const form = new URLSearchParams({ username, password: account.password });
    const renewed = await fetch(`${url}/api/auth/login`, { method: 'POST', body: form });
    if (renewed.ok) session.token = ((await renewed.json()) as { access_token: string }).access_token;
    return await send(method, path, sent, session.token);
  };
  return { token: session.token, call };
}

/** Connects a repository and waits until it is indexed; returns the id of the project. */
export async function connectRepository({ call }: Account, name: string, path: string): Promise<string> {
  const { status, body } = await call('POST', '/projects', { name, git_url: `file://${path}` });
  if (status !== 201) throw new Error(`Connecting answered ${status}: ${JSON.stringify(body)}`);
  for (;;) {
    const project = (await call('GET', `/projects/${body.id}`)).body;
    if (project.status === 'failed') throw new Error(`${name} could not be indexed: ${project.failure.text}`);
    if (project.status === 'ready' && project.activity === null) return body.id as string;
    await sleep(200);
  }
}

/** Replaces a section of the results; the others stay. */
export async function writeSection(title: string, text: string): Promise<void> {
  const before = await readFile(RESULTS, 'utf8').catch(() => '# Editor\n');
  const sections = before.split(/^(?=## )/m).filter((section) => !section.startsWith(`## ${title}\n`));
  const written = [...sections.map((section) => section.trimEnd()), `## ${title}\n\n${text.trim()}`];
  await writeFile(RESULTS, `${written.join('\n\n')}\n`);
}

/** The machine and its load. */
export function describeMachine(): string {
  const [load = 0] = loadavg();
  const model = cpus()[0]?.model ?? 'unknown';
  return `${availableParallelism()} cores (${model}), Node ${process.versions.node}, load ${load.toFixed(1)}`;
}
