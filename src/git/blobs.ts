import { AppError } from '#contract/errors.ts';
import { assertOid, type GitProcess, startGit } from './run.ts';

/** A blob's bytes, or its size when that is more than was asked for. */
type BlobContent = { content: Buffer } | { tooLarge: number };

/** Reads blobs through one git process; many reads may be under way at once. */
export interface BlobReader {
  /** Null when there is no such object. `oid` is a full hash; the size is known before any content is read. */
  read(oid: string, maxBytes: number): Promise<BlobContent | null>;
  /** Reads that are under way reject with `unavailable`. */
  close(): void;
}

interface PendingRead {
  oid: string;
  command: 'info' | 'contents';
  maxBytes: number;
  resolve: (content: BlobContent | null) => void;
  reject: (error: unknown) => void;
}

/** Requests that git may have unanswered; the others wait here, so that neither pipe can fill up. */
const MAX_IN_FLIGHT = 64;

/**
 * Opens a reader. A git that dies (a limit, a damaged pack) rejects the reads that it was asked for; the next
 * read starts another.
 */
export function openBlobReader(repo: string, { signal }: { signal?: AbortSignal } = {}): BlobReader {
  const queued: PendingRead[] = [];
  const inFlight: PendingRead[] = [];
  let catFile: GitProcess | null = null;
  let closed = false;

  const sendQueued = () => {
    while (queued.length > 0 && inFlight.length < MAX_IN_FLIGHT) {
      try {
        catFile ??= start();
      } catch (error) {
        rejectAll(queued.splice(0), error);
        return;
      }
      const next = queued.shift()!;
      inFlight.push(next);
      catFile.child.stdin.write(`${next.command} ${next.oid}\n`);
    }
  };

  const start = (): GitProcess => {
    const started = startGit(repo, ['cat-file', '--batch-command'], {
      name: 'cat-file',
      timeoutMs: DAY_MS,
      signal,
    });
    const answers = createReplyParser(
      (size, content) => {
        if (closed) return;
        answer(inFlight.shift()!, size, content);
        sendQueued();
      },
      () => inFlight[0]?.command === 'contents',
    );
    started.child.stdout.on('data', answers);
    void started.end.then((end) => {
      if (catFile === started) {
        catFile = null;
      }
      const reason = end instanceof AppError ? end : new AppError('unavailable', 'git_exited');
      rejectAll(inFlight.splice(0), reason);
      sendQueued();
    });
    return started;
  };

  const answer = (waiting: PendingRead, size: number | null, content: Buffer | null) => {
    if (size === null) {
      waiting.resolve(null);
    } else if (content !== null) {
      waiting.resolve({ content });
    } else if (size > waiting.maxBytes) {
      waiting.resolve({ tooLarge: size });
    } else {
      // Ahead of new ones, so that a read that has begun is soon over.
      queued.unshift({ ...waiting, command: 'contents' });
    }
  };

  return {
    read(oid, maxBytes) {
      return new Promise((resolve, reject) => {
        if (closed) {
          throw new Error('The blob reader is closed.');
        }
        queued.push({ oid: assertOid(oid), command: 'info', maxBytes, resolve, reject });
        sendQueued();
      });
    },
    close() {
      closed = true;
      catFile?.kill('done');
      if (queued.length + inFlight.length === 0) return;
      const reason = new AppError('unavailable', 'reading_stopped', { reason: 'stopped' });
      rejectAll([...queued.splice(0), ...inFlight.splice(0)], reason);
    },
  };
}

function rejectAll(waiting: PendingRead[], error: unknown): void {
  for (const { reject } of waiting) {
    reject(error);
  }
}

const DAY_MS = 86_400_000;
const LF = 10;

/**
 * Reads what `cat-file --batch-command` prints:
 *
 *   answer = oid SP type SP size LF [content LF]     content only after `contents`
 *          | oid SP "missing" LF
 */
function createReplyParser(
  onAnswer: (size: number | null, content: Buffer | null) => void,
  hasContent: () => boolean,
): (chunk: Buffer) => void {
  let header = '';
  let size = 0;
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
          const whole = content.subarray(0, size);
          content = null;
          onAnswer(size, whole);
        }
        continue;
      }
      const end = chunk.indexOf(LF, at);
      header += chunk.toString('latin1', at, end === -1 ? chunk.length : end);
      if (end === -1) {
        return;
      }
      at = end + 1;
      const [, type = '', digits = ''] = header.split(' ');
      header = '';
      if (type === 'missing') {
        onAnswer(null, null);
      } else if (hasContent()) {
        size = Number(digits);
        // One more byte: the line feed behind the content.
        content = Buffer.allocUnsafeSlow(size + 1);
        filled = 0;
      } else {
        onAnswer(Number(digits), null);
      }
    }
  };
}
