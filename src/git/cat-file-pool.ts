import { AppError } from '#contract/errors.ts';
import { type GitProcess, startGit } from './run.ts';

/** A running `git cat-file --batch-command`, used by one reader at a time. */
export interface CatFile {
  readonly repo: string;
  readonly process: GitProcess;
  /** True when another reader has used it before. */
  isReused: boolean;
  /** Receives its output while a reader has it. */
  onOutput: ((chunk: Buffer) => void) | null;
  /** Receives its end while a reader has it; null without an error of git. */
  onEnd: ((error: AppError | null) => void) | null;
}

interface PooledCatFile extends CatFile {
  startedAt: number;
  idleTimer?: NodeJS.Timeout;
}

/** Idle processes of this thread; the others end at once. */
const MAX_IDLE = 8;
const IDLE_MS = 10_000;
/** Bounds how long a process keeps packs open that were deleted meanwhile. */
const MAX_AGE_MS = 120_000;
const DAY_MS = 86_400_000;

/** Idle processes of this thread, the most recently used last. */
const idle: PooledCatFile[] = [];

/**
 * Takes an idle process of a repository, or starts one. git itself looks for new loose objects and packs whenever it misses one,
 * so that a process answers about what was written after its start.
 */
export function takeCatFile(repo: string): CatFile {
  const kept = idle.findLast((each) => each.repo === repo);
  if (kept) {
    forget(kept);
    kept.process.child.ref();
    kept.isReused = true;
    return kept;
  }
  const process = startGit(repo, ['cat-file', '--batch-command'], { name: 'cat-file', timeoutMs: DAY_MS });
  const started: PooledCatFile = {
    repo,
    process,
    isReused: false,
    onOutput: null,
    onEnd: null,
    startedAt: Date.now(),
  };
  process.child.stdout.on('data', (chunk: Buffer) => {
    if (started.onOutput) started.onOutput(chunk);
    else process.kill('done');
  });
  void process.end.then((end) => {
    forget(started);
    started.onEnd?.(end instanceof AppError ? end : null);
  });
  return started;
}

/** Gives a process back that has answered everything it was asked. */
export function returnCatFile(catFile: CatFile): void {
  const kept = catFile as PooledCatFile;
  kept.onOutput = null;
  kept.onEnd = null;
  if (Date.now() - kept.startedAt > MAX_AGE_MS) {
    kept.process.kill('done');
    return;
  }
  idle.push(kept);
  kept.process.child.unref();
  kept.idleTimer = setTimeout(end, IDLE_MS, kept).unref();
  if (idle.length > MAX_IDLE) end(idle[0]!);
}

function end(kept: PooledCatFile): void {
  forget(kept);
  kept.process.kill('done');
}

function forget(kept: PooledCatFile): void {
  clearTimeout(kept.idleTimer);
  const at = idle.indexOf(kept);
  if (at !== -1) idle.splice(at, 1);
}
