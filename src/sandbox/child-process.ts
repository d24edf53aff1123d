import type { AppError } from '#contract/errors.ts';
import type { Child } from '#git/child.ts';
import { createFrameReader, encodeFrame } from './frames.ts';
import type { ChildMessage, TaskOutcome } from './messages.ts';
import { type LimitViolation, processFailure } from './process-failure.ts';

/** A child that does one task at a time. */
export interface TaskProcess<P, V> {
  /** Resolves with how the task ended. Rejects when the process ended instead. */
  perform(taskFrame: Buffer, listener: TaskEvents<P>): Promise<TaskOutcome<V>>;
  abort(): void;
  kill(): void;
  /** Ends it in order; resolves once it is gone. */
  end(): Promise<void>;
  readonly child: Pick<Child, 'ref' | 'unref'>;
  /** Resolves once it is gone. */
  readonly gone: Promise<void>;
}

/** Limits of the kept and of the total standard error output. */
const MAX_STDERR_LENGTH = 4096;
const MAX_STDERR_BYTES = 2 ** 20;

interface TaskEvents<P> {
  /** The process has read the task; until then it was starting. */
  onStarted(): void;
  onProgress(progress: P): void;
}

interface Task<P, V> extends TaskEvents<P> {
  resolve(last: TaskOutcome<V>): void;
  reject(error: AppError): void;
}

/** Supervises a child; `maxOutputBytes` bounds all that it sends in one task. A child that sends anything else is killed. */
export function superviseProcess<P, V>(
  child: Child,
  { maxOutputBytes }: { maxOutputBytes: number },
): TaskProcess<P, V> {
  let current: Task<P, V> | null = null;
  let breach: LimitViolation | null = null;
  let stderr = '';
  let [outputBytes, stderrBytes] = [0, 0];
  let failure: AppError | null = null;

  const kill = () => void child.kill();
  const punish = (why: LimitViolation) => {
    breach ??= why;
    kill();
  };
  const onMessage = (message: ChildMessage<P, V>) => {
    if (current === null) return punish('invalid_output');
    if (message.type === 'started') return current.onStarted();
    if (message.type === 'progress') return current.onProgress(message.progress);
    if (message.type !== 'done' && message.type !== 'failed') return punish('invalid_output');
    const { resolve } = current;
    current = null;
    resolve(message);
  };
  const onInvalid = (why: 'too_large' | 'invalid') =>
    punish(why === 'too_large' ? 'output_too_large' : 'invalid_output');
  const read = createFrameReader<ChildMessage<P, V>>({ maxBytes: maxOutputBytes, onMessage, onInvalid });

  child.stdin.on('error', () => {});
  child.stdout
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (breach !== null) return;
      if (outputBytes > maxOutputBytes) punish('output_too_large');
      else read(chunk);
    });
  child.stderr
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      stderrBytes += chunk.length;
      stderr = (stderr + chunk.toString('latin1')).slice(-MAX_STDERR_LENGTH);
      if (stderrBytes > MAX_STDERR_BYTES) punish('output_too_large');
    });
  const gone = child.ended.then((end) => {
    failure = processFailure(end, breach, stderr);
    current?.reject(failure);
    current = null;
  });

  return {
    child,
    gone,
    kill,
    perform(taskFrame, listener) {
      outputBytes = 0;
      return new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        current = { ...listener, resolve, reject };
        child.stdin.write(taskFrame);
      });
    },
    abort: () => void child.stdin.write(encodeFrame({ type: 'abort' })),
    end() {
      child.stdin.end();
      return gone;
    },
  };
}
