import { AppError } from '#contract/errors.ts';
import { type CatFile, returnCatFile, takeCatFile } from './cat-file-pool.ts';
import { abortCause, gitFailure } from './failure.ts';
import { assertOid } from './run.ts';

/** An object of a repository. */
interface GitObject {
  type: string;
  /** Bytes. */
  size: number;
  /** Null where it was not read: it has more bytes than were asked for. */
  content: Buffer | null;
}

/** Reads objects through one git process; many reads may be under way at once. */
export interface ObjectReader {
  /**
   * Reads an object by its full hash; null when there is no such object. The size is known before any content is read, and
   * content of more than `maxBytes` is not.
   */
  read(oid: string, maxBytes: number): Promise<GitObject | null>;
  /** Reads the tree of a commit, or a tree itself, in the same way. */
  readTree(oid: string, maxBytes: number): Promise<GitObject | null>;
  /** Type and size of an object; null when there is none. */
  stat(oid: string): Promise<Omit<GitObject, 'content'> | null>;
  /** Reads that are under way reject with `unavailable`. */
  close(): void;
}

interface PendingRead {
  name: string;
  command: 'info' | 'contents';
  /** Null when only type and size are wanted. */
  maxBytes: number | null;
  /** True once a process that other readers had used before has ended without an answer. */
  isRetried: boolean;
  resolve: (object: GitObject | null) => void;
  reject: (error: unknown) => void;
}

/** Requests that git may have unanswered; the others wait here, so that neither pipe can fill up. */
const MAX_IN_FLIGHT = 64;

/**
 * Opens a reader, which has a process of the pool to itself until it is closed. A git that dies (a limit, a damaged pack)
 * rejects the reads that it was asked for; the next read starts another.
 */
export function openObjectReader(repo: string, { signal }: { signal?: AbortSignal } = {}): ObjectReader {
  const queued: PendingRead[] = [];
  const inFlight: PendingRead[] = [];
  let catFile: CatFile | null = null;
  let closed = false;

  const onAbort = () => catFile?.process.kill(signal ? abortCause(signal) : 'stopped');
  signal?.addEventListener('abort', onAbort);

  const sendQueued = () => {
    while (queued.length > 0 && inFlight.length < MAX_IN_FLIGHT) {
      try {
        catFile ??= take();
      } catch (error) {
        rejectAll(queued.splice(0), error);
        return;
      }
      const next = queued.shift()!;
      inFlight.push(next);
      catFile.process.child.stdin.write(`${next.command} ${next.name}\n`);
    }
  };

  const take = (): CatFile => {
    if (signal?.aborted) {
      const killed = abortCause(signal);
      throw gitFailure({ name: 'cat-file', exitCode: null, signal: null, stderr: '', killed });
    }
    const taken = takeCatFile(repo);
    taken.onOutput = createReplyParser(
      (header, content) => {
        // After an abort git may still print until its process is gone, whose end rejects what is unanswered.
        if (closed || signal?.aborted) return;
        answer(inFlight.shift()!, header, content);
        sendQueued();
      },
      () => inFlight[0]?.command === 'contents',
    );
    taken.onEnd = (error) => onEnd(taken, error);
    return taken;
  };

  const onEnd = (ended: CatFile, error: AppError | null) => {
    if (catFile !== ended) return;
    catFile = null;
    const unanswered = inFlight.splice(0);
    // It may have ended while it was idle.
    const retried = unanswered.filter(({ isRetried }) => ended.isReused && !isRetried && !signal?.aborted);
    const failed = unanswered.filter((read) => !retried.includes(read));
    rejectAll(failed, error ?? new AppError('unavailable', 'git_exited'));
    queued.unshift(...retried.map((read) => ({ ...read, isRetried: true })));
    sendQueued();
  };

  const answer = (waiting: PendingRead, header: ObjectHeader | null, content: Buffer | null) => {
    const { maxBytes } = waiting;
    if (header === null) waiting.resolve(null);
    else if (content !== null || maxBytes === null || header.size > maxBytes) {
      waiting.resolve({ ...header, content });
    } else {
      // Ahead of new ones, so that a read that has begun is soon over.
      queued.unshift({ ...waiting, command: 'contents' });
    }
  };

  const ask = (name: string, maxBytes: number | null) =>
    new Promise<GitObject | null>((resolve, reject) => {
      if (closed) {
        throw new Error('The object reader is closed.');
      }
      queued.push({ name, command: 'info', maxBytes, isRetried: false, resolve, reject });
      sendQueued();
    });

  return {
    // Only whole hashes: git would search a path or another name for revisions.
    read: async (oid, maxBytes) => await ask(assertOid(oid), maxBytes),
    readTree: async (oid, maxBytes) => await ask(`${assertOid(oid)}^{tree}`, maxBytes),
    stat: async (oid) => await ask(assertOid(oid), null),
    close() {
      if (closed) return;
      closed = true;
      signal?.removeEventListener('abort', onAbort);
      const unanswered = [...queued.splice(0), ...inFlight.splice(0)];
      if (catFile && unanswered.length === 0 && !signal?.aborted) returnCatFile(catFile);
      else catFile?.process.kill('done');
      catFile = null;
      // An error costs a stack trace, and most readers are closed without reads under way.
      if (unanswered.length === 0) return;
      rejectAll(unanswered, new AppError('unavailable', 'reading_stopped', { reason: 'stopped' }));
    },
  };
}

function rejectAll(waiting: PendingRead[], error: unknown): void {
  for (const { reject } of waiting) {
    reject(error);
  }
}

type ObjectHeader = Omit<GitObject, 'content'>;

const LF = 10;

/**
 * Reads what `cat-file --batch-command` prints:
 *
 *   answer = oid SP type SP size LF [content LF]     content only after `contents`
 *          | name SP "missing" LF
 */
function createReplyParser(
  onAnswer: (header: ObjectHeader | null, content: Buffer | null) => void,
  hasContent: () => boolean,
): (chunk: Buffer) => void {
  let line = '';
  let header: ObjectHeader = { type: '', size: 0 };
  let content: Buffer | null = null;
  let filled = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (content !== null) {
        const copied = chunk.copy(content, filled, at);
        filled += copied;
        at += copied;
        if (filled === content.length) {
          const whole = content.subarray(0, header.size);
          content = null;
          onAnswer(header, whole);
        }
        continue;
      }
      const end = chunk.indexOf(LF, at);
      line += chunk.toString('latin1', at, end === -1 ? chunk.length : end);
      if (end === -1) {
        return;
      }
      at = end + 1;
      const [, type = '', digits = ''] = line.split(' ');
      line = '';
      header = { type, size: Number(digits) };
      if (type === 'missing') {
        onAnswer(null, null);
      } else if (hasContent()) {
        // One more byte: the line feed behind the content.
        content = Buffer.allocUnsafeSlow(header.size + 1);
        filled = 0;
      } else {
        onAnswer(header, null);
      }
    }
  };
}
