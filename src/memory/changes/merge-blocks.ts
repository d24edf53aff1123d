import { VarintReader, VarintWriter } from '../bytes/varint.ts';
import type { Block } from './block.ts';
import { BlockWriter, type HunkRecord } from './block-writer.ts';
import { addSkipCounts, DECODED_LENGTHS, type SkipCounts } from './hunk.ts';
import { writePatches } from './patch-store.ts';

/**
 * Writes the blocks, newest first, as one block to `path`; returns its size in bytes. Terms are sorted by key in every
 * block, so that all are read once from front to end and only pieces are held in memory.
 */
export function mergeBlocks(blocks: readonly Block[], path: string): number {
  const writer = new BlockWriter(path);
  try {
    writeTerms(blocks, writer);
    writer.endTerms();
    const paths = writeHunks(blocks, writer);
    const left: SkipCounts = {};
    for (const block of blocks) addSkipCounts(left, block.skipCounts);
    const oids = blocks.map((block) => block.oids());
    const commits = { oids: oids.map(({ oids }) => oids), oidBytes: oids[0]!.oidBytes };
    const patches = blocks.map((block) => block.patches.packed());
    return writer.finish(commits, paths, left, (file) => writePatches(file, patches));
  } catch (error) {
    writer.abort();
    throw error;
  }
}

function writeTerms(blocks: readonly Block[], writer: BlockWriter): void {
  let first = 0;
  const sources = blocks.map((block) => {
    const terms = block.terms();
    const source = { terms, now: terms.next(), first };
    first += block.count;
    return source;
  });
  const out = new VarintWriter();
  for (;;) {
    let key = Number.POSITIVE_INFINITY;
    for (const { now } of sources) if (!now.done && now.value.key < key) key = now.value.key;
    if (key === Number.POSITIVE_INFINITY) return;
    out.clear();
    let hunks = 0;
    let before = 0;
    for (const source of sources) {
      if (source.now.done || source.now.value.key !== key) continue;
      hunks += source.now.value.hunks;
      before = appendPostings(out, source.now.value.postings, source.first, before);
      source.now = source.terms.next();
    }
    writer.addTerm(key, hunks, out.written());
  }
}

/** Appends postings whose block begins at hunk `first`; all but the first number stay as they are. Returns the last hunk. */
function appendPostings(out: VarintWriter, postings: Buffer, first: number, before: number): number {
  const reader = new VarintReader(postings);
  const head = reader.read();
  const rest = reader.at;
  let hunk = first + Math.floor(head / 8);
  out.write((hunk - before) * 8 + (head % 8));
  while (!reader.done) hunk += Math.floor(reader.read() / 8);
  out.append(postings.subarray(rest));
  return hunk;
}

/** Writes all hunks with the numbers that commits and paths now have; returns the paths. */
function writeHunks(blocks: readonly Block[], writer: BlockWriter): Iterable<string> {
  const numbers = new Map<string, number>();
  const numberOf = (path: string) => {
    if (!numbers.has(path)) numbers.set(path, numbers.size);
    return numbers.get(path)!;
  };
  let commits = 0;
  for (const block of blocks) {
    const path = block.paths().map(numberOf);
    const lengths = block.lengths(0, block.count);
    let index = 0;
    for (const hunk of block.hunks()) {
      const moved: HunkRecord = {
        ...hunk,
        commit: hunk.commit + commits,
        path: path[hunk.path]!,
        oldPath: path[hunk.oldPath]!,
        added: Math.round(DECODED_LENGTHS[lengths[index * 2]!]!),
        removed: Math.round(DECODED_LENGTHS[lengths[index * 2 + 1]!]!),
      };
      writer.addHunk(moved);
      index++;
    }
    commits += block.commitCount;
  }
  return numbers.keys();
}
