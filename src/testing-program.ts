import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '#git/testing-remotes.ts';

/** A program in a process of its own: `src/main.ts`, or the launcher that keeps it running. */
export interface Program {
  url: string;
  dataDir: string;
  child: ChildProcess;
  /** Resolves with the exit code once it has ended. */
  ended: Promise<number | null>;
  /** All that it has printed. */
  output(): string;
  /** Resolves when the output matches from `index` on; rejects when the program ends before. */
  printed(pattern: RegExp, index?: number): Promise<RegExpExecArray>;
}

const LAUNCHER = join(import.meta.dirname, '../scripts/keep-running.mjs');

/** Code of a launcher without the build of the pages. */
export const LAUNCH = `import { keepRunning } from ${JSON.stringify(LAUNCHER)};
  process.exit(await keepRunning(process.argv.slice(1)).ended);`;

/** A folder that is removed with the test. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-program-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Starts it; with `wrapper`, words before the command line. It is killed with the test, if it still runs. */
export async function startProgram(options: {
  dataDir: string;
  settings?: Record<string, string>;
  launcher?: boolean;
  wrapper?: string[];
  port?: number;
}): Promise<Program> {
  const { dataDir, settings, launcher, wrapper = [] } = options;
  const port = options.port ?? (await freePort());
  const args = launcher ? ['--input-type=module', '-e', LAUNCH, 'src/main.ts'] : ['src/main.ts'];
  // That of the tests, below which is a folder for each version of Node.
  const compiled = getCompileCacheDir();
  const [command = '', ...words] = [...wrapper, process.execPath, ...args];
  const child = spawn(command, words, {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }),
      ...settings,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  });
  const printed = async (pattern: RegExp, index = 0) => {
    while (true) {
      const match = pattern.exec(output.slice(index));
      if (match) return match;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The program ended before it printed ${pattern}:\n${output}`);
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
    }
  };
  return { url: `http://127.0.0.1:${port}`, dataDir, child, ended, output: () => output, printed };
}

/** An account of a program and its calls; a call that gets no answer has status 0. */
export async function signUp({ url }: Pick<Program, 'url'>, name = 'ada') {
  const password = 'a quiet harbour at dawn';
  const request = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { method, signal: AbortSignal.timeout(30_000), ...init });
    return { status: response.status, body: (await response.json().catch(() => null)) as never };
  };
  const json = { 'content-type': 'application/json' };
  const account = { username: name, email: `${name}@example.org`, password };
  const { status, body } = await request('POST', '/api/auth/register', {
    headers: json,
    body: JSON.stringify(account),
  });
  if (status !== 201) throw new Error(`Signing up answered ${status}.`);
  const { access_token } = body as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, ...json };
  type Reply = { status: number; body: Record<string, never> };
  return {
    call: (method: string, path: string, sent?: object): Promise<Reply> =>
      request(method, `/api${path}`, {
        headers: sent === undefined ? { authorization: headers.authorization } : headers,
        ...(sent && { body: JSON.stringify(sent) }),
      }).catch(() => ({ status: 0, body: {} })),
    signIn: async (): Promise<number> =>
      request('POST', '/api/auth/login', {
        body: new URLSearchParams({ username: account.email, password }),
      }).then(
        ({ status: code }) => code,
        () => 0,
      ),
  };
}
