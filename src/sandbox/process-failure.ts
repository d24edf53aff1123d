import { AppError, deserializeAppError } from '#contract/errors.ts';
import type { ChildEnd } from '#git/child.ts';
import type { TaskError } from './messages.ts';

/** A breach of the conversation, for which a process is killed. */
export type LimitViolation = 'output_too_large' | 'invalid_output';

/** Words of V8 and of the operating system for memory that is not there. */
const OUT_OF_MEMORY = /out of memory|heap limit|OOM|Cannot allocate memory|std::bad_alloc/i;

/** The error of a task whose process has ended before its time. */
export function processFailure(end: ChildEnd, breach: LimitViolation | null, stderr: string): AppError {
  const cause = 'error' in end ? end.error : new Error(describeEnd(end, stderr));
  if (breach === 'output_too_large') {
    return new AppError('too_large', 'output_too_large', { reason: breach, cause });
  }
  if (breach === null && !('error' in end)) {
    if (end.signal === 'SIGXCPU') {
      return new AppError('too_large', 'cpu_limit_reached', { reason: 'cpu_limit', cause });
    }
    if (OUT_OF_MEMORY.test(stderr)) return outOfMemory(cause);
  }
  return new AppError('unavailable', 'process_failed', { reason: 'process_failed', cause });
}

/** The error that a task ended with, as one of ours where it is one. */
export function taskFailure({ message, stack, app }: TaskError): Error {
  const cause = Object.assign(new Error(message), stack !== undefined && { stack });
  return app === null ? cause : deserializeAppError(app, cause);
}

function outOfMemory(cause: Error): AppError {
  return new AppError('too_large', 'out_of_memory', {
    reason: 'out_of_memory',
    cause,
  });
}

function describeEnd({ exitCode, signal }: Exclude<ChildEnd, { error: Error }>, stderr: string): string {
  return `The process ended with ${signal ?? `exit code ${exitCode}`}. ${stderr}`.trim();
}
