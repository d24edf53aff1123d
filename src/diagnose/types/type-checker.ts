import { AppError } from '#contract/errors.ts';
import { createFairQueue, stopped } from '#scheduling/fair-queue.ts';
import { createTypeProcesses, type TypeProcess } from './type-processes.ts';
import { isTypedPath, type TypeDiagnosis, type TypeTask } from './type-task.ts';

/** A project's files at one commit, of which a check reads what the file imports. */
export interface TypeProject {
  id: string;
  commit: string;
  /** Paths and object ids of the files that a program may hold. */
  list(signal: AbortSignal): Promise<{ files: [path: string, oid: string][]; isTruncated: boolean }>;
  /** Texts of contents, in their order; null for one that can't be read. */
  read(oids: readonly string[], signal: AbortSignal): Promise<(string | null)[]>;
}

/** A file to check, with other files as they are being edited. */
type TypedFile = Pick<TypeTask, 'path' | 'text' | 'unsaved' | 'withFixes' | 'onlyChanges'>;

/** Checks types in child processes, each of which holds the program of one project. */
export interface TypeChecker {
  /**
   * Throws `unavailable` on a timeout, a failure or a full queue, `stopped` after an abort, and `too_large` beyond the limit
   * of memory. Another check of the project takes a fraction of the first.
   */
  check(
    file: TypedFile,
    project: TypeProject,
    options: { signal: AbortSignal; userId: string },
  ): Promise<TypeDiagnosis>;
  /**
   * Starts the process of a project with TypeScript or JavaScript and checks a file of it, unless it would take the place of another
   * process. The first check of a reader then finds the declarations of the language read and the checker compiled.
   */
  prepare(project: TypeProject, options: { signal: AbortSignal; userId: string }): Promise<void>;
  /** Ends the processes. */
  close(): Promise<void>;
}

/** Milliseconds for the wait and the work. */
const TIMEOUT_MS = 20_000;
/** Milliseconds of work in the process: the first check of a large program takes two seconds. */
const WORK_TIMEOUT_MS = 10_000;
/** Steps of a check: the longest chain of imports. */
const MAX_STEPS = 40;
/** Files that one step brings. */
const MAX_READS = 2_000;
const MAX_PROCESSES = 2;
/** Files of which the longest is checked in advance, and the characters that it may have. */
const SAMPLED_FILES = 12;
const MAX_SAMPLE_LENGTH = 32 * 2 ** 10;

/** Creates the checker. Users take turns, and one user occupies one process at a time. */
export function createTypeChecker({ workTimeoutMs = WORK_TIMEOUT_MS } = {}): TypeChecker {
  const processes = createTypeProcesses(MAX_PROCESSES);
  const closing = new AbortController();
  const queue = createFairQueue({
    maxRunning: MAX_PROCESSES,
    maxRunningPerUser: 1,
    maxWaiting: 40,
    maxWaitingPerUser: 4,
  });
  const check: TypeChecker['check'] = async (file, project, { signal: given, userId }) => {
    const signal = AbortSignal.any([given, closing.signal]);
    return await queue.run({ userId, deadlineMs: TIMEOUT_MS, signal }, async (ending) => {
      const process = await processes.acquire(project.id, userId);
      try {
        return await checkInSteps(process, { file, project, workTimeoutMs, signal: ending });
      } catch (cause) {
        throw toTypeCheckError(cause);
      } finally {
        processes.release(process);
      }
    });
  };
  return {
    check,
    async prepare(project, options) {
      if (!processes.mayOpen(project.id)) return;
      const sample = await readSample(project, options.signal);
      if (sample === null || !processes.mayOpen(project.id)) return;
      await check({ ...sample, unsaved: {}, withFixes: false }, project, options);
    },
    async close() {
      closing.abort();
      await processes.close();
    },
  };
}

/** A file of the project that uses much of the checker: the longest of some; null where there is none. */
async function readSample(project: TypeProject, signal: AbortSignal) {
  const { files } = await project.list(signal);
  const typed = files.filter(([path]) => isTypedPath(path) && !path.endsWith('.d.ts'));
  const every = Math.max(1, Math.ceil(typed.length / SAMPLED_FILES));
  const some = typed.filter((_, at) => at % every === 0);
  const texts = await project.read(
    some.map(([, oid]) => oid),
    signal,
  );
  const samples = some.flatMap(([path], at) => {
    const text = texts[at];
    return text == null || text.length > MAX_SAMPLE_LENGTH ? [] : [{ path, text }];
  });
  return samples.toSorted((a, b) => b.text.length - a.text.length)[0] ?? null;
}

interface CheckRequest {
  file: TypedFile;
  project: TypeProject;
  workTimeoutMs: number;
  signal: AbortSignal;
}

/** Sends what the process asks for until it has all that the file imports. A superseded check ends between two steps. */
async function checkInSteps(process: TypeProcess, request: CheckRequest): Promise<TypeDiagnosis> {
  const { file, project, workTimeoutMs, signal } = request;
  const list = process.version?.commit === project.commit ? null : await project.list(signal);
  const oids = list ? new Map(list.files) : process.version!.oids;
  let task: TypeTask = {
    ...file,
    files: list?.files ?? null,
    isTruncated: list?.isTruncated ?? false,
    texts: {},
    isLastStep: false,
  };
  let left = workTimeoutMs;
  for (let step = 1; ; step++) {
    signal.throwIfAborted();
    const { reply, ms } = await process.run(task, left);
    process.version = { commit: project.commit, oids };
    left -= ms;
    if (!('missing' in reply)) return reply;
    const texts = await readTexts(reply.missing, { project, oids, signal });
    task = { ...task, files: null, texts, isLastStep: step >= MAX_STEPS };
  }
}

/** Reads files of the version alone: the process has read untrusted text, and may ask for anything. */
async function readTexts(
  paths: readonly string[],
  { project, oids, signal }: { project: TypeProject; oids: ReadonlyMap<string, string>; signal: AbortSignal },
): Promise<Record<string, string | null>> {
  const known = paths.slice(0, MAX_READS).flatMap((path) => {
    const oid = oids.get(path);
    return oid === undefined ? [] : [{ path, oid }];
  });
  const texts = await project.read(
    known.map(({ oid }) => oid),
    signal,
  );
  return Object.fromEntries(known.map(({ path }, at) => [path, texts[at] ?? null]));
}

function toTypeCheckError(cause: unknown): unknown {
  if (!(cause instanceof AppError))
    return new AppError('unavailable', 'file_check_failed', { reason: 'checker_failed', cause });
  const { code, reason } = cause;
  if (reason === 'timed_out') return new AppError('unavailable', 'file_check_timed_out', { reason, cause });
  if (code === 'too_large')
    return new AppError(code, 'file_check_limits', { reason: 'checker_limit', cause });
  if (reason === 'process_failed') {
    return new AppError('unavailable', 'file_check_failed', { reason: 'checker_failed', cause });
  }
  return reason === 'stopped' ? stopped() : cause;
}
