import { randomBytes } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, pipeline } from 'node:stream';
import type { Child, ChildEnd, Command } from './child.ts';
import type { Reply, Request } from './spawner-process.ts';

/** This thread's line to the spawner. */
export interface SpawnerConnection {
  readonly folder: string;
  /** True once the spawner is gone; what it had started is, too. */
  readonly lost: boolean;
  start(command: Command): Child;
}

/** A program that was asked for. */
interface Run {
  child: Child;
  attach(stream: number, socket: Socket): void;
  end(how: ChildEnd): void;
}

/** Connects to the spawner whose socket lies in `folder`, and listens there for the streams of what it starts. */
export function connectToSpawner(folder: string): SpawnerConnection {
  const runs = new Map<number, Run>();
  // Numbers of processes come again, and a process that was killed leaves its socket behind.
  const back = join(folder, randomBytes(8).toString('hex'));
  /** Runs that keep this thread from ending. */
  const referenced = new Set<number>();
  let started = 0;
  let lost = false;

  const server = createServer((socket) => {
    readRunHeader(socket, (id, stream) => {
      const run = runs.get(id);
      if (run === undefined) socket.destroy();
      else run.attach(stream, socket);
    });
  });
  server.listen(back).unref();
  const control = connect(join(folder, 'spawner'));
  const send = (request: Request) => control.write(`${JSON.stringify(request)}\n`);
  const lose = () => {
    lost = true;
    server.close();
    const error = new Error('The process that starts git has ended.');
    for (const run of runs.values()) run.end({ error });
  };
  server.on('error', () => control.destroy());
  control.once('close', lose);
  const replies = createInterface({ input: control });
  // It passes on the errors of the connection, whose end says it all.
  replies.on('error', () => {});
  replies.on('line', (line) => {
    const { id, ...how } = JSON.parse(line) as Reply;
    runs.get(id)?.end('error' in how ? { error: new Error(how.error) } : how);
  });

  return {
    folder,
    get lost() {
      return lost;
    },
    start(command) {
      const id = ++started;
      const setReferenced = (isReferenced: boolean) => {
        if (isReferenced) referenced.add(id);
        else referenced.delete(id);
        if (referenced.size > 0) control.ref();
        else control.unref();
      };
      const run = createRun(() => send({ id, kill: true }), setReferenced);
      runs.set(id, run);
      setReferenced(true);
      send({ ...command, id, back });
      void run.child.ended.then(() => {
        runs.delete(id);
        setReferenced(false);
      });
      return run.child;
    },
  };
}

/** Streams that are there at once; those of the program are attached as they come. */
function createRun(kill: () => void, setReferenced: (isReferenced: boolean) => void): Run {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const attached = new Set<PassThrough>();
  const sockets: Socket[] = [];
  let isReferenced = true;
  let settle: (end: ChildEnd) => void;
  let isOver = false;
  return {
    child: {
      stdin,
      stdout,
      stderr,
      kill: () => {
        if (!isOver) kill();
        return !isOver;
      },
      ref: () => {
        isReferenced = true;
        for (const socket of sockets) socket.ref();
        if (!isOver) setReferenced(true);
      },
      unref: () => {
        isReferenced = false;
        for (const socket of sockets) socket.unref();
        setReferenced(false);
      },
      ended: new Promise((resolve) => {
        settle = resolve;
      }),
    },
    attach(stream, socket) {
      const mine = [stdin, stdout, stderr][stream]!;
      attached.add(mine);
      sockets.push(socket);
      if (!isReferenced) socket.unref();
      // A premature end shows in the exit code of the program.
      const done = () => {};
      if (mine !== stdin) pipeline(socket, mine, done);
      else pipeline(stdin, socket.resume(), done);
    },
    end(how) {
      isOver = true;
      const outputs = [stdout, stderr];
      // An unread output must not delay the end; an output that never arrived has ended.
      for (const output of outputs) {
        if ('error' in how && !attached.has(output)) output.end();
        if (output.readable) output.resume();
      }
      const closed = outputs.map(
        (output) => output.closed || new Promise((done) => output.once('close', done)),
      );
      void Promise.all(closed).then(() => settle(how));
    },
  };
}

/** Reads the line that a connection begins with, `run SP stream LF`, and leaves the rest for others. */
function readRunHeader(socket: Socket, onName: (run: number, stream: number) => void): void {
  let head = Buffer.alloc(0);
  socket.on('error', () => {});
  const read = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\n');
    if (end === -1) return;
    socket.off('data', read).pause();
    if (end + 1 < head.length) socket.unshift(head.subarray(end + 1));
    const [run, stream] = head.toString('latin1', 0, end).split(' ').map(Number);
    onName(run!, stream!);
  };
  socket.on('data', read);
}
