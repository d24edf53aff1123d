import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { type Command, killGroup } from './child.ts';

/**
 * The small process that starts git for a large one; `spawner.ts` says why and how they talk. It listens on the
 * socket that its first argument names. When its standard input ends, so does it, with all that it started and with
 * the folder of the socket.
 *
 *   request = { id, argv, env, cwd, back } LF      start; `back` is the socket to connect standard streams to
 *           | { id, kill: true } LF
 *   reply   = { id, exitCode, signal } LF | { id, error } LF
 */
export type Request = (Command & { id: number; back: string }) | { id: number; kill: true };
/** Reply to a start request, one each. */
export type Reply = { id: number } & (
  | { exitCode: number | null; signal: NodeJS.Signals | null }
  | { error: string }
);

/** Runs of one thread: the process once it is there, `killed` when it must not come to be. */
type Runs = Map<number, ChildProcess | 'starting' | 'killed'>;

const [path = ''] = process.argv.slice(2);
const threads = new Set<Runs>();

createServer(serve).listen(path, () => process.stdout.write('ready\n'));
process.stdin.resume().once('close', () => {
  for (const runs of threads) killAll(runs);
  rmSync(dirname(path), { recursive: true, force: true });
  process.exit(0);
});

/** One connection is one thread of a large process; when it is gone, so is what it started, and its socket. */
function serve(control: Socket): void {
  const runs: Runs = new Map();
  let back: string | null = null;
  threads.add(runs);
  control.once('close', () => {
    killAll(runs);
    threads.delete(runs);
    if (back !== null) rmSync(back, { force: true });
  });
  const answer = (reply: Reply) => {
    runs.delete(reply.id);
    if (control.writable) control.write(`${JSON.stringify(reply)}\n`);
  };
  const requests = createInterface({ input: control });
  // It passes on the errors of the connection, whose end says it all.
  requests.on('error', () => {});
  requests.on('line', (line) => {
    const request = JSON.parse(line) as Request;
    if ('kill' in request) return kill(runs, request.id);
    back = request.back;
    start(request, runs, answer).catch((error) => answer({ id: request.id, error: String(error) }));
  });
}

async function start(
  { id, argv, env, cwd, back }: Command & { id: number; back: string },
  runs: Runs,
  answer: (reply: Reply) => void,
): Promise<void> {
  runs.set(id, 'starting');
  const streams = await Promise.all([0, 1, 2].map((stream) => connectBack(back, `${id} ${stream}\n`)));
  try {
    if (runs.get(id) === 'killed') {
      answer({ id, exitCode: null, signal: 'SIGKILL' });
      return;
    }
    const child = spawn(argv[0]!, argv.slice(1), { cwd, env, detached: true, shell: false, stdio: streams });
    runs.set(id, child);
    child.once('error', (error) => answer({ id, error: error.message }));
    child.once('exit', (exitCode, signal) => {
      killGroup(child.pid);
      answer({ id, exitCode, signal });
    });
  } finally {
    // The child has its own; as long as one of ours is open, the other side sees no end.
    for (const stream of streams) stream.destroy();
  }
}

/** A connection that has said whose it is, and of which nothing was read: it becomes a child's standard stream. */
function connectBack(back: string, name: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(back);
    socket.pause();
    socket.on('error', reject);
    socket.once('connect', () => socket.write(name, () => resolve(socket)));
  });
}

function kill(runs: Runs, id: number): void {
  const run = runs.get(id);
  if (run === 'starting') runs.set(id, 'killed');
  else if (run !== undefined && run !== 'killed') killGroup(run.pid);
}

function killAll(runs: Runs): void {
  for (const id of runs.keys()) kill(runs, id);
}
