import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { compilePathPatterns } from '#git/path-patterns.ts';
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

/** Hunks of the first block, small so that it is searchable soon, and of any block that is built in memory. */
const FIRST_BLOCK_HUNKS = 4_000;
const MAX_BUFFERED_HUNKS = 64_000;
/** Adjacent blocks of one size tier that are merged into one. Tiers are powers of it. */
const FANOUT = 4;
/** Hunks beyond which blocks are not merged: a query allocates a number per hunk of one block at a time. */
const MAX_BLOCK_HUNKS = 1 << 22;
/** A merge reads sequentially: it needs no more than a page of each section of each block. */
const MERGE_CACHE_BYTES = 2 ** 20;
/** Bytes of patches of a block that is built in memory. */
const MAX_BUFFERED_PATCH_BYTES = 128 * 2 ** 20;
/** A commit without output from git for this long is skipped: git is detecting renames among very many equal files. */
const STALL_TIMEOUT_MS = 60_000;
const BUILD_TIMEOUT_MS = 12 * 3_600_000;

/** Input of `buildChangeIndex`. */
export interface ChangeIndexTask {
  /** Absolute path of a bare repository. */
  repo: string;
  /** Full hash of the commit whose history is indexed. */
  revision: string;
  /** Directory of the blocks; it must have no other writer. */
  directory: string;
  /** Bytes that may be read and stored; derived from the repository's size when absent. */
  budget?: BuildBudget;
  /** Patterns of paths whose changes are not indexed. Other patterns than before rebuild the index. */
  excludedPaths?: readonly string[];
}

interface BuildListener {
  /** Reports the indexed commits and their total. */
  onProgress(done: number, total: number): void;
  signal: AbortSignal;
}

/**
 * Indexes the changes of all commits that the revision reaches and no block has, newest first. Finished blocks survive an
 * aborted or killed build, and the next one resumes there. Unusable blocks are rebuilt.
 */
export async function buildChangeIndex(task: ChangeIndexTask, listener: BuildListener): Promise<void> {
  mkdirSync(task.directory, { recursive: true, mode: 0o700 });
  const { manifest, indexed } = loadUsableBlocks(task.directory, readMatchingManifest(task));
  removeUnlisted(task.directory, manifest);
  const missing = await listMissingCommits(task, manifest, indexed, listener.signal);
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

/** The manifest, or an empty one where other paths were excluded: its blocks are removed then. */
function readMatchingManifest({ directory, excludedPaths = [] }: ChangeIndexTask): Manifest {
  const manifest = readManifest(directory);
  const isMatch = manifest && JSON.stringify(manifest.excluded) === JSON.stringify(excludedPaths);
  return isMatch ? manifest : { ...EMPTY_MANIFEST, excluded: [...excludedPaths] };
}

/** Removes blocks that are unusable or of an earlier format from the manifest, and collects the commits of the others. */
function loadUsableBlocks(
  directory: string,
  manifest: Manifest,
): { manifest: Manifest; indexed: Set<string> } {
  const indexed = new Set<string>();
  const blocks = manifest.blocks.filter(({ name }) => {
    try {
      const block = new Block(join(directory, name), name, new PageCache(MERGE_CACHE_BYTES));
      if (!block.isCurrent) {
        block.close();
        return false;
      }
      block.verify();
      for (let commit = 0; commit < block.commitCount; commit++) indexed.add(block.oid(commit));
      block.close();
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'index_rebuilding') return false;
      throw error;
    }
  });
  const isWhole = blocks.length === manifest.blocks.length;
  return { manifest: { ...manifest, blocks, head: isWhole ? manifest.head : null }, indexed };
}

/** Lists the commits without merges that the revision reaches and no block has, newest first. */
async function listMissingCommits(
  { repo, revision }: ChangeIndexTask,
  { head }: Manifest,
  indexed: Set<string>,
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
    for (const oid of lines) if (!indexed.has(oid)) missing.push(oid);
  }
  return missing;
}

/** Indexes commits. Those whose contents git can't read are skipped, or indexed up to the failure. */
async function indexCommits(
  { repo, budget, excludedPaths = [] }: ChangeIndexTask,
  oids: string[],
  folder: BlockDirectory,
  { onProgress, signal }: BuildListener,
): Promise<void> {
  const pending = new PendingBlocks(oids, folder);
  const isExcluded = compilePathPatterns(excludedPaths);
  const { inputBytes } = budget ?? (await getPatchBudget(repo));
  let bytes = 0;
  let wasCutShort = false;
  for (let size = oids.length; pending.done < oids.length; size *= 2) {
    const end = Math.min(oids.length, pending.done + size);
    const isOne = end === pending.done + 1;
    try {
      const reader = new DiffParser((oid) => pending.begin(oid), isExcluded);
      for await (const piece of readPatches(repo, oids.slice(pending.done, end), signal)) {
        reader.push(piece);
        onProgress(pending.done, oids.length);
        bytes += piece.length;
        if (bytes > inputBytes) break;
      }
      if (bytes > inputBytes) {
        // The oldest commits are counted as indexed, so that a refresh does not start with them again.
        pending.skip('over_limit', oids.length - pending.done);
        break;
      }
      pending.beginUpTo(end);
      if (wasCutShort) pending.skip('unreadable');
      wasCutShort = false;
    } catch (error) {
      if (signal.aborted || !isUnreadable(error)) throw error;
      // The failure is in the next commit or in the last one that started, so the next is tried alone. If git names that
      // one before it fails again, the previous failure was in the other one.
      if (isOne) {
        if (wasCutShort && pending.done === end) pending.skip('unreadable');
        pending.beginUpTo(end);
        pending.skip('unreadable');
      }
      wasCutShort = !isOne;
      size = 0.5;
    }
  }
  pending.finish();
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

/** True when git failed on a content: it is missing or damaged, or comparing it exceeded a limit. */
function isUnreadable(error: unknown): boolean {
  return error instanceof AppError && ['corrupt', 'too_large', 'stalled'].includes(error.reason ?? '');
}

/** Commits that are being written to blocks, in their order. */
class PendingBlocks {
  readonly #oids: string[];
  readonly #folder: BlockDirectory;
  #builder = new BlockBuilder();
  #maxHunks = FIRST_BLOCK_HUNKS;
  /** Commits that have started. */
  done = 0;

  constructor(oids: string[], folder: BlockDirectory) {
    this.#oids = oids;
    this.#folder = folder;
  }

  /** Starts a commit and those before it: git prints nothing for commits without changes. */
  begin(oid: string): BlockBuilder {
    if (
      this.#builder.hunkCount >= this.#maxHunks ||
      this.#builder.patches.length > MAX_BUFFERED_PATCH_BYTES
    ) {
      this.#folder.add(this.#builder);
      this.#builder = new BlockBuilder();
      this.#maxHunks = Math.min(MAX_BUFFERED_HUNKS, this.#maxHunks * 2);
    }
    while (this.done < this.#oids.length && this.#oids[this.done] !== oid) this.beginUpTo(this.done + 1);
    this.done++;
    this.#builder.beginCommit(oid);
    return this.#builder;
  }

  beginUpTo(end: number): void {
    while (this.done < end) this.#builder.beginCommit(this.#oids[this.done++]!);
  }

  /** Counts commits that are not indexed. */
  skip(reason: 'unreadable' | 'over_limit', count = 1): void {
    this.#builder.skip(reason, count);
  }

  finish(): void {
    this.#folder.add(this.#builder);
  }
}

/** The blocks of a directory, merged by tiers as they accumulate. */
class BlockDirectory {
  readonly #directory: string;
  #manifest: Manifest;
  /** Position of the next block: before the older commits of earlier builds, or after those of an aborted one. */
  #position: number;

  constructor(directory: string, manifest: Manifest) {
    this.#directory = directory;
    this.#manifest = manifest;
    this.#position = manifest.head === null ? manifest.blocks.length : 0;
    this.#publish(manifest.blocks);
  }

  /** Writes what was pending as the next block. */
  add(builder: BlockBuilder): void {
    const name = newBlockName();
    const bytes = builder.write(join(this.#directory, name));
    const entry = { name, bytes, commits: builder.commitCount, hunks: builder.hunkCount };
    this.#publish(this.#manifest.blocks.toSpliced(this.#position++, 0, entry));
    for (let run = this.#findFullTier(); run !== null; run = this.#findFullTier())
      this.#merge(run.from, run.to);
  }

  /** Marks the history of `head` as complete. */
  complete(head: string): void {
    const { blocks } = this.#manifest;
    const [largest, total] = [
      Math.max(...blocks.map(hunksOf)),
      blocks.reduce((sum, block) => sum + block.hunks, 0),
    ];
    // Merges everything after a first build or many refreshes, not for a few new commits.
    if (blocks.length > 1 && total <= MAX_BLOCK_HUNKS && largest < total * 0.75)
      this.#merge(0, blocks.length);
    this.#manifest = { ...this.#manifest, head, goal: null };
    this.#publish(this.#manifest.blocks);
    removeUnlisted(this.#directory, this.#manifest);
  }

  /** Removes the oldest blocks while all together exceed `maxBytes`; the newest stays. */
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

  /** Finds FANOUT adjacent blocks of one size tier. */
  #findFullTier(): { from: number; to: number } | null {
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
    if (this.#position > from) this.#position = Math.max(from + 1, this.#position - (to - from) + 1);
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
