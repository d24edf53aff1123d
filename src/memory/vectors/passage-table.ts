import { blobPrefix, type StoredPassage } from './vector-log.ts';

/**
 * The vector of every passage: an open-addressing hash table in shared memory, at most half full, with four 32-bit
 * numbers per slot: the first 64 bits of the blob's hash, the ordinal, the vector number + 1 (0: the slot is free).
 */
export type PassageTable = Uint32Array;

const SLOT_LENGTH = 4;

/** Builds the table; of several passages with one key the last one wins. */
export function buildPassageTable(passages: readonly StoredPassage[]): PassageTable {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * passages.length)));
  const table = new Uint32Array(new SharedArrayBuffer(slots * SLOT_LENGTH * 4));
  for (const { high, low, ordinal, vector } of passages) {
    table.set([high, low, ordinal, vector + 1], findSlot(table, high, low, ordinal));
  }
  return table;
}

/** Vector number of a blob's passage; -1 when it has none yet. */
export function vectorOfPassage(table: PassageTable, blob: string, ordinal: number): number {
  const { high, low } = blobPrefix(blob);
  return table[findSlot(table, high, low, ordinal) + 3]! - 1;
}

/** Offset of the key's slot, or of the free slot for it. */
function findSlot(table: PassageTable, high: number, low: number, ordinal: number): number {
  const mask = table.length / SLOT_LENGTH - 1;
  let slot = (low ^ Math.imul(ordinal + 1, 0x9e3779b1)) & mask;
  for (; ; slot = (slot + 1) & mask) {
    const at = slot * SLOT_LENGTH;
    if (table[at + 3] === 0) return at;
    if (table[at] === high && table[at + 1] === low && table[at + 2] === ordinal) return at;
  }
}
