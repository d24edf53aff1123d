import { AppError } from '#contract/errors.ts';
import type { ChildEnd } from '#git/child.ts';
import type { TaskError } from './messages.ts';

/** Why we killed a process. */
export type KillReason = 'timed_out' | 'stopped' | 'too_much_output' | 'invalid_output';

/** Words of V8 and of the operating system for memory that is not there. */
const OUT_OF_MEMORY = /out of memory|heap limit|OOM|Cannot allocate memory|std::bad_alloc/i;

/** The error of a task whose process has ended before its time. `label` names the work, such as `Checking this file`. */
export function processFailure(
  label: string,
  { killed, end, stderr }: { killed: KillReason | null; end: ChildEnd; stderr: string },
): AppError {
  const cause = 'error' in end ? end.error : new Error(describeEnd(end, stderr));
  if (killed === 'stopped') {
    return new AppError('unavailable', 'The request was stopped.', { reason: 'stopped', cause });
  }
  if (killed === 'timed_out') {
    return new AppError('unavailable', `${label} took too long.`, { reason: 'timed_out', cause });
  }
  if (killed === 'too_much_output') {
    return new AppError('too_large', `${label} gave more output than is allowed.`, {
      reason: 'too_much_output',
      cause,
    });
  }
  if (killed === null && !('error' in end)) {
    if (end.signal === 'SIGXCPU') {
      return new AppError('too_large', `${label} took too much processor time.`, {
        reason: 'cpu_limit',
        cause,
      });
    }
    if (end.signal === 'SIGXFSZ') {
      return new AppError('too_large', `${label} made a file that is too large.`, {
        reason: 'file_size',
        cause,
      });
    }
    if (OUT_OF_MEMORY.test(stderr)) return outOfMemory(label, cause);
  }
  return new AppError('unavailable', `${label} failed unexpectedly. Try again.`, {
    reason: 'process_failed',
    cause,
  });
}

/** The error that a task ended with, as one of ours where it is one. */
export function taskFailure(label: string, { message, stack, code, reason }: TaskError): Error {
  const cause = Object.assign(new Error(message), stack !== undefined && { stack });
  if (reason === 'out_of_memory') return outOfMemory(label, cause);
  return code === null ? cause : new AppError(code, message, { reason, cause });
}

function outOfMemory(label: string, cause: Error): AppError {
  const text = `${label} needs more memory than it may use.`;
  return new AppError('too_large', text, { reason: 'out_of_memory', cause });
}

function describeEnd({ exitCode, signal }: Exclude<ChildEnd, { error: Error }>, stderr: string): string {
  return `The process ended with ${signal ?? `exit code ${exitCode}`}. ${stderr}`.trim();
}
