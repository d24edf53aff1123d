import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '#contract/errors.ts';

/** Free space on the disk of `DATA_DIR`, with a reserve file that is deleted when the disk fills. */
export interface DiskSpace {
  /** True while writes are refused. */
  readonly isFull: boolean;
  /** Aborted when the disk becomes full, and replaced when space is available again. */
  readonly roomSignal: AbortSignal;
  /** Deletes the reserve after a write failed for lack of space. */
  reportFull(): void;
  /** Resolves when space is available. */
  waitForRoom(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const MIB = 2 ** 20;
const POLL_MS = 250;
/** Limits the reserve on small disks. */
const MAX_RESERVE_SHARE = 1 / 16;
/** With fewer free inodes the disk counts as full; file systems without a fixed number report 0 of 0. */
const MIN_FREE_INODES = 200;
const RESERVE_FILE = 'disk-reserve';

/**
 * Watches free disk space. Below the size of the reserve, writes are refused; below half of it the reserve file is deleted,
 * which leaves the database space for its log, sign-ins and a clean shutdown. When space is available again the reserve is
 * recreated and writes are accepted. `reserveMb: 0` disables it.
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
      'the disk is full: writes are refused until space is available',
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
      log.warn('disk space is available again: writes are accepted');
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

/** The error of writes while the disk is full. */
export function storageFull(cause?: unknown): AppError {
  return new AppError('storage_full', 'storage_full', { cause, retryAfter: 30 });
}

/** Writes random bytes, which no file system compresses; returns false when there was not enough space. */
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
