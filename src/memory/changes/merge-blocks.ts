import { VarintReader, VarintWriter } from '../bytes/varint.ts';
import type { Block } from './block.ts';
import { BlockWriter, type HunkRecord } from './block-writer.ts';
import { addSkipCounts, DECODED_LENGTHS, type SkipCounts } from './hunk.ts';
import { writePatches } from './patch-store.ts';

/**
 * Merges blocks, newest first, into one at `path`; returns its size in bytes. Terms are sorted by key in every block, so
 * all are read once from front to end and only parts are held in memory.
 */
export function mergeBlocks(blocks: readonly Block[], path: string): number {
  const writer = new BlockWriter(path);
  try {
    writeTerms(blocks, writer);
    writer.endTerms();
    const paths = writeHunks(blocks, writer);
    const skipCounts: SkipCounts = {};
    for (const block of blocks) addSkipCounts(skipCounts, block.skipCounts);
    const oids = blocks.map((block) => block.oids());
    const commits = { oids: oids.map(({ oids }) => oids), oidBytes: oids[0]!.oidBytes };
    const patches = blocks.map((block) => ({ ...block.patches.compressed(), hunks: block.count }));
    const filters = blocks.map((block) => block.filters());
    return writer.finish({ commits, paths, skipCounts, filters }, (file) => writePatches(file, patches));
  } catch (error) {
    writer.abort();
    throw error;
  }
}

function writeTerms(blocks: readonly Block[], writer: BlockWriter): void {
  let first = 0;
  const sources = blocks.map((block) => {
    const terms = block.terms();
    const source = { terms, current: terms.next(), first };
    first += block.count;
    return source;
  });
  const out = new VarintWriter();
  for (;;) {
    let key = Number.POSITIVE_INFINITY;
    for (const { current } of sources) if (!current.done && current.value.key < key) key = current.value.key;
    if (key === Number.POSITIVE_INFINITY) return;
    out.clear();
    let hunks = 0;
    let previous = 0;
    for (const source of sources) {
      if (source.current.done || source.current.value.key !== key) continue;
      hunks += source.current.value.hunks;
      previous = appendPostings(out, source.current.value.postings, source.first, previous);
      source.current = source.terms.next();
    }
    writer.addTerm(key, hunks, out.bytes());
  }
}

/** Appends postings of a block that begins at hunk `first`; only the first number changes. Returns the last hunk. */
function appendPostings(out: VarintWriter, postings: Buffer, first: number, previous: number): number {
  const reader = new VarintReader(postings);
  const head = reader.read();
  const rest = reader.position;
  let hunk = first + Math.floor(head / 8);
  out.write((hunk - previous) * 8 + (head % 8));
  while (!reader.isAtEnd) hunk += Math.floor(reader.read() / 8);
  out.append(postings.subarray(rest));
  return hunk;
}

/** Writes all hunks with commits and paths renumbered; returns the paths. */
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
      const merged: HunkRecord = {
        ...hunk,
        commit: hunk.commit + commits,
        path: path[hunk.path]!,
        oldPath: path[hunk.oldPath]!,
        added: Math.round(DECODED_LENGTHS[lengths[index * 2]!]!),
        removed: Math.round(DECODED_LENGTHS[lengths[index * 2 + 1]!]!),
      };
      writer.addHunk(merged);
      index++;
    }
    commits += block.commitCount;
  }
  return numbers.keys();
}
