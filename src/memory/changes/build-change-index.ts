import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { resolveCommit } from '#git/refs.ts';
import { gitStream } from '#git/run.ts';
import { PageCache } from '../bytes/section-file.ts';
import { type BuildBudget, getPatchBudget } from '../limits.ts';
import { Block } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import { DIFF_ARGS, DiffParser } from './diff-parser.ts';
import {
  type BlockEntry,
  EMPTY_MANIFEST,
  type Manifest,
  newBlockName,
  readManifest,
  removeUnlisted,
  writeManifest,
} from './manifest.ts';
import { mergeBlocks } from './merge-blocks.ts';

/** Hunks of the first block, so that something can be found soon, and the most of one that is built in memory. */
const FIRST_BLOCK_HUNKS = 4_000;
const MAX_BUFFERED_HUNKS = 64_000;
/** So many blocks of one size, side by side, become one. Sizes are powers of it. */
const FANOUT = 4;
/** Hunks beyond which blocks are not merged further: a query keeps a number for each hunk of one block at a time. */
const MAX_BLOCK_HUNKS = 1 << 22;
/** A merge reads from front to end: it needs no more than a page of each section of each block. */
const MERGE_CACHE_BYTES = 2 ** 20;
/** Bytes of patches of one that is built in memory. */
const MAX_BUFFERED_PATCH_BYTES = 128 * 2 ** 20;
/** A commit on which git is silent for so long is left out: it looks for renames among very many equal files. */
const STALL_TIMEOUT_MS = 60_000;
const BUILD_TIMEOUT_MS = 12 * 3_600_000;

/** What one build reads and where it writes. */
export interface ChangeIndexTask {
  /** Absolute path of a bare repository. */
  repo: string;
  /** Full hash of the commit whose history is read. */
  revision: string;
  /** Folder of the blocks; one build at a time may write it. */
  directory: string;
  /** What may be read and kept; worked out from the repository when absent. */
  budget?: BuildBudget;
}

interface BuildListener {
  /** Commits that are read, of so many. */
  onProgress(done: number, total: number): void;
  signal: AbortSignal;
}

/**
 * Reads the changes of all commits that the revision reaches and that no block has, newest first, into blocks. What is
 * finished stays when the build is stopped or killed, and the next one goes on from there. Blocks that can't be used
 * are read again.
 */
export async function buildChangeIndex(task: ChangeIndexTask, listener: BuildListener): Promise<void> {
  mkdirSync(task.directory, { recursive: true, mode: 0o700 });
  const { manifest, read } = loadUsableBlocks(task.directory, readManifest(task.directory) ?? EMPTY_MANIFEST);
  removeUnlisted(task.directory, manifest);
  const missing = await listMissingCommits(task, manifest, read, listener.signal);
  const known = manifest.blocks.reduce((sum, { commits }) => sum + commits, 0);
  const total = known + missing.length;
  const folder = new BlockDirectory(task.directory, {
    ...manifest,
    goal: { head: task.revision, commits: total },
  });
  if (missing.length > 0) {
    await indexCommits(task, missing, folder, {
      ...listener,
      onProgress: (done) => listener.onProgress(known + done, total),
    });
  }
  folder.complete(task.revision);
  folder.dropOldest((task.budget ?? (await getPatchBudget(task.repo))).indexBytes);
}

/** The manifest without the blocks that can't be used, and the commits of the others. */
function loadUsableBlocks(directory: string, manifest: Manifest): { manifest: Manifest; read: Set<string> } {
  const read = new Set<string>();
  const blocks = manifest.blocks.filter(({ name }) => {
    try {
      const block = new Block(join(directory, name), name, new PageCache(MERGE_CACHE_BYTES));
      block.verify();
      for (let commit = 0; commit < block.commitCount; commit++) read.add(block.oid(commit));
      block.close();
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'index_rebuilding') return false;
      throw error;
    }
  });
  const isWhole = blocks.length === manifest.blocks.length;
  return { manifest: { ...manifest, blocks, head: isWhole ? manifest.head : null }, read };
}

/** Commits but merges that the revision reaches and no block has, newest first. */
async function listMissingCommits(
  { repo, revision }: ChangeIndexTask,
  { head }: Manifest,
  read: Set<string>,
  signal: AbortSignal,
): Promise<string[]> {
  // After a forced push the earlier head may be gone.
  const known = head !== null && (await resolveCommit(repo, head)) !== null;
  const revisions = known ? [revision, `^${head}`] : [revision];
  const args = ['rev-list', '--no-merges', '--date-order'];
  const missing: string[] = [];
  let rest = '';
  for await (const piece of gitStream(repo, args, {
    name: 'rev-list',
    revisions,
    timeoutMs: BUILD_TIMEOUT_MS,
    signal,
  })) {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop()!;
    for (const oid of lines) if (!read.has(oid)) missing.push(oid);
  }
  return missing;
}

/** Reads commits into blocks. Those whose contents git can't read are left out, or read as far as git came. */
async function indexCommits(
  { repo, budget }: ChangeIndexTask,
  oids: string[],
  folder: BlockDirectory,
  { onProgress, signal }: BuildListener,
): Promise<void> {
  const collected = new PendingBlocks(oids, folder);
  const { inputBytes } = budget ?? (await getPatchBudget(repo));
  let bytes = 0;
  let wasCutShort = false;
  for (let size = oids.length; collected.done < oids.length; size *= 2) {
    const end = Math.min(oids.length, collected.done + size);
    const isOne = end === collected.done + 1;
    try {
      const reader = new DiffParser((oid) => collected.begin(oid));
      for await (const piece of readPatches(repo, oids.slice(collected.done, end), signal)) {
        reader.push(piece);
        onProgress(collected.done, oids.length);
        bytes += piece.length;
        if (bytes > inputBytes) break;
      }
      if (bytes > inputBytes) {
        // The oldest commits are counted as read, so that a refresh does not begin with them again.
        collected.skip('over_limit', oids.length - collected.done);
        break;
      }
      collected.beginUpTo(end);
      if (wasCutShort) collected.skip('unreadable');
      wasCutShort = false;
    } catch (error) {
      if (signal.aborted || !isUnreadable(error)) throw error;
      // It is the next commit, or the last one that began: the next is tried alone. If git fails there too and names it
      // first, as it would have done before, it was the other one before.
      if (isOne) {
        if (wasCutShort && collected.done === end) collected.skip('unreadable');
        collected.beginUpTo(end);
        collected.skip('unreadable');
      }
      wasCutShort = !isOne;
      size = 0.5;
    }
  }
  collected.finish();
}

function readPatches(repo: string, oids: string[], signal: AbortSignal) {
  const input = `${oids.join('\n')}\n`;
  const limits = { cpuS: BUILD_TIMEOUT_MS / 1000 };
  return gitStream(repo, DIFF_ARGS, {
    name: 'read changes',
    input,
    timeoutMs: BUILD_TIMEOUT_MS,
    stallMs: STALL_TIMEOUT_MS,
    limits,
    signal,
  });
}

/** Whether git gave up on a content: it is missing or damaged, or comparing it took more memory than allowed. */
function isUnreadable(error: unknown): boolean {
  return error instanceof AppError && ['corrupt', 'too_large', 'stalled'].includes(error.reason ?? '');
}

/** Commits that go into blocks, in their order. */
class PendingBlocks {
  readonly #oids: string[];
  readonly #folder: BlockDirectory;
  #builder = new BlockBuilder();
  #most = FIRST_BLOCK_HUNKS;
  /** Commits that have begun. */
  done = 0;

  constructor(oids: string[], folder: BlockDirectory) {
    this.#oids = oids;
    this.#folder = folder;
  }

  /** Begins a commit, and those before it: git is silent about commits that change nothing. */
  begin(oid: string): BlockBuilder {
    if (this.#builder.hunkCount >= this.#most || this.#builder.patches.length > MAX_BUFFERED_PATCH_BYTES) {
      this.#folder.add(this.#builder);
      this.#builder = new BlockBuilder();
      this.#most = Math.min(MAX_BUFFERED_HUNKS, this.#most * 2);
    }
    while (this.done < this.#oids.length && this.#oids[this.done] !== oid) this.beginUpTo(this.done + 1);
    this.done++;
    this.#builder.beginCommit(oid);
    return this.#builder;
  }

  beginUpTo(end: number): void {
    while (this.done < end) this.#builder.beginCommit(this.#oids[this.done++]!);
  }

  /** Counts commits that are not read. */
  skip(reason: 'unreadable' | 'over_limit', count = 1): void {
    this.#builder.skip(reason, count);
  }

  finish(): void {
    this.#folder.add(this.#builder);
  }
}

/** The blocks of a folder, which merge as they pile up. */
class BlockDirectory {
  readonly #directory: string;
  #manifest: Manifest;
  /** Where the next block goes: before the older commits of earlier builds, or behind those of one that was stopped. */
  #place: number;

  constructor(directory: string, manifest: Manifest) {
    this.#directory = directory;
    this.#manifest = manifest;
    this.#place = manifest.head === null ? manifest.blocks.length : 0;
    this.#publish(manifest.blocks);
  }

  /** Writes what was collected as the next block. */
  add(builder: BlockBuilder): void {
    const name = newBlockName();
    const bytes = builder.write(join(this.#directory, name));
    const entry = { name, bytes, commits: builder.commitCount, hunks: builder.hunkCount };
    this.#publish(this.#manifest.blocks.toSpliced(this.#place++, 0, entry));
    for (let run = this.#fullRun(); run !== null; run = this.#fullRun()) this.#merge(run.from, run.to);
  }

  /** The build has come to its end: the whole history of `head` is there. */
  complete(head: string): void {
    const { blocks } = this.#manifest;
    const [largest, total] = [
      Math.max(...blocks.map(hunksOf)),
      blocks.reduce((sum, block) => sum + block.hunks, 0),
    ];
    // After a first build, or many refreshes; a few new commits are not worth writing everything again.
    if (blocks.length > 1 && total <= MAX_BLOCK_HUNKS && largest < total * 0.75)
      this.#merge(0, blocks.length);
    this.#manifest = { ...this.#manifest, head, goal: null };
    this.#publish(this.#manifest.blocks);
    removeUnlisted(this.#directory, this.#manifest);
  }

  /** Removes the oldest blocks while all together are larger than that; the newest stays. */
  dropOldest(maxBytes: number): void {
    const { blocks } = this.#manifest;
    let total = 0;
    const end = blocks.findIndex(({ bytes }) => {
      total += bytes;
      return total > maxBytes;
    });
    if (end === -1) return;
    this.#publish(blocks.slice(0, Math.max(1, end)));
    removeUnlisted(this.#directory, this.#manifest);
  }

  /** Blocks side by side, of one size, as many as are merged. */
  #fullRun(): { from: number; to: number } | null {
    const { blocks } = this.#manifest;
    for (let from = 0, to = 0; from < blocks.length; from = to) {
      while (to < blocks.length && sizeTier(blocks[to]!) === sizeTier(blocks[from]!)) to++;
      const total = blocks.slice(from, to).reduce((sum, block) => sum + block.hunks, 0);
      if (to - from >= FANOUT && total <= MAX_BLOCK_HUNKS) return { from, to };
    }
    return null;
  }

  #merge(from: number, to: number): void {
    const { blocks } = this.#manifest;
    const name = newBlockName();
    const merged = blocks.slice(from, to);
    const files: Block[] = [];
    let bytes: number;
    try {
      for (const { name } of merged) {
        files.push(new Block(join(this.#directory, name), name, new PageCache(MERGE_CACHE_BYTES)));
      }
      bytes = mergeBlocks(files, join(this.#directory, name));
    } finally {
      for (const file of files) file.close();
    }
    const sum = (field: 'commits' | 'hunks') => merged.reduce((total, block) => total + block[field], 0);
    const entry = { name, bytes, commits: sum('commits'), hunks: sum('hunks') };
    if (this.#place > from) this.#place = Math.max(from + 1, this.#place - (to - from) + 1);
    this.#publish(blocks.toSpliced(from, to - from, entry));
    removeUnlisted(this.#directory, this.#manifest);
  }

  #publish(blocks: BlockEntry[]): void {
    this.#manifest = { ...this.#manifest, blocks };
    writeManifest(this.#directory, this.#manifest);
  }
}

const hunksOf = ({ hunks }: BlockEntry) => hunks;

function sizeTier({ hunks }: BlockEntry): number {
  return Math.floor(Math.log(Math.max(hunks, 1)) / Math.log(FANOUT));
}
