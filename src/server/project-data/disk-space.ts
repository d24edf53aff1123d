import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '#contract/errors.ts';

/** Room on the disk of DATA_DIR, with a reserve that is given up when the disk fills. */
export interface DiskSpace {
  /** Whether what grows is refused now. */
  readonly isFull: boolean;
  /** Aborted when the disk becomes full; another signal as soon as there is room. */
  readonly roomSignal: AbortSignal;
  /** Gives up the reserve at once, since a write has failed for lack of space. */
  reportFull(): void;
  /** Resolves while there is room. */
  waitForRoom(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const MIB = 2 ** 20;
const POLL_MS = 250;
/** On a small disk the reserve is this share of it, so that there is room for something else. */
const MAX_RESERVE_SHARE = 1 / 16;
/** Fewer free inodes than this are a full disk too; file systems without a fixed number say 0 of 0. */
const MIN_FREE_INODES = 200;
const RESERVE_FILE = 'disk-reserve';

/**
 * Watches the disk. Below a floor of free space, as large as the reserve, what grows is refused; below half of it the
 * reserve file is removed, which leaves the database room for its log, for sign-ins and for an orderly stop. With room
 * again the reserve is made anew and everything is accepted. `reserveMb: 0` turns it off.
 */
export function watchDiskSpace(options: { dataDir: string; reserveMb: number; log: Logger }): DiskSpace {
  const { dataDir, log } = options;
  const file = join(dataDir, RESERVE_FILE);
  const closing = new AbortController();
  let full = new AbortController();
  let hasReserve = false;
  const first = options.reserveMb === 0 ? null : statfsSync(dataDir);
  const reserve = first
    ? Math.min(options.reserveMb * MIB, Math.floor(first.blocks * first.bsize * MAX_RESERVE_SHARE))
    : 0;

  const release = () => {
    hasReserve = false;
    rmSync(file, { force: true });
  };
  const setFull = (free: number) => {
    if (full.signal.aborted) return;
    log.error(
      { freeMb: Math.floor(free / MIB) },
      'the disk is full: what grows is refused until there is room',
    );
    full.abort(storageFull());
  };
  const judge = async ({ bavail, bsize, files, ffree }: Usage) => {
    const free = bavail * bsize;
    const lacksInodes = files > 0 && ffree < MIN_FREE_INODES;
    if (free < reserve / 2 || lacksInodes) release();
    if (free < reserve || lacksInodes) return setFull(free);
    if (full.signal.aborted || !hasReserve) {
      if (free < reserve * 1.5 + (hasReserve ? 0 : reserve)) return;
      hasReserve ||= await createReserve(file, reserve, closing.signal);
      if (!hasReserve || !full.signal.aborted) return;
      log.warn('there is room on the disk again: everything is accepted');
      full = new AbortController();
    }
  };
  const watch = async () => {
    while (!closing.signal.aborted) {
      await statfs(dataDir).then(judge, (error: unknown) => log.warn({ err: error }, 'reading free space'));
      await sleep(POLL_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  };

  if (first) {
    hasReserve = statSync(file, { throwIfNoEntry: false })?.size === reserve;
    const free = first.bavail * first.bsize;
    if (free < reserve / 2) release();
    if (free < reserve) setFull(free);
  } else release();
  const watching = first && watch();
  return {
    get isFull() {
      return full.signal.aborted;
    },
    get roomSignal() {
      return full.signal;
    },
    reportFull() {
      release();
      if (first) setFull(0);
    },
    async waitForRoom(signal) {
      while (full.signal.aborted) await sleep(POLL_MS, undefined, { signal });
    },
    async close() {
      closing.abort();
      await watching;
    },
  };
}

interface Usage {
  bavail: number;
  bsize: number;
  files: number;
  ffree: number;
}

/** The error of what is refused on a full disk. */
export function storageFull(cause?: unknown): AppError {
  return new AppError('storage_full', 'storage_full', { cause, retryAfter: 30 });
}

/** Writes random bytes, which no file system stores as fewer; false when there was no room for them. */
async function createReserve(file: string, bytes: number, signal: AbortSignal): Promise<boolean> {
  await rm(file, { force: true });
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      for (let written = 0; written < bytes; written += MIB) {
        signal.throwIfAborted();
        await handle.write(randomBytes(Math.min(MIB, bytes - written)));
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    await rm(file, { force: true });
    return false;
  }
}
