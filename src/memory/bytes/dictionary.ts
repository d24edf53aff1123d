import { ChunkedUint8Array, ChunkedUint32Array } from './chunked-arrays.ts';
import { addSection, type SectionDraft, type Sections } from './sections.ts';
import { openStringList, type StringList } from './string-list.ts';

/** Numbers of strings, and strings by number. */
export interface Dictionary extends StringList {
  /** Finds the number of a string; -1 when absent. */
  find(text: string): number;
}

/**
 * Numbers strings in the order of their first appearance. An open-addressing hash table, at most two thirds full: a slot
 * holds the number of a string plus one, 0 is free, collisions probe the next slot. It is written as it is in memory.
 */
export class DictionaryBuilder {
  #slots = new Uint32Array(256);
  readonly #hashes = new ChunkedUint32Array();
  readonly #starts = new ChunkedUint32Array();
  readonly #bytes = new ChunkedUint8Array();

  constructor() {
    this.#starts.push(0);
  }

  get size(): number {
    return this.#hashes.length;
  }

  get allocatedBytes(): number {
    return (
      this.#slots.byteLength +
      this.#hashes.allocatedBytes +
      this.#starts.allocatedBytes +
      this.#bytes.allocatedBytes
    );
  }

  /** The number of a string, added if it is new. */
  number(text: string): number {
    const bytes = encodeUtf8(text);
    const hash = hashBytes(bytes);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (this.#hashes.at(number) === hash && this.#equals(number, bytes)) return number;
    }
    const number = this.size;
    this.#slots[slot] = number + 1;
    this.#hashes.push(hash);
    this.#bytes.append(bytes);
    this.#starts.push(this.#bytes.length);
    if (this.size * 3 > this.#slots.length * 2) this.#grow();
    return number;
  }

  /** `hashBytes` of a string by its number. */
  hash(number: number): number {
    return this.#hashes.at(number);
  }

  /** UTF-8 bytes of a string by its number. */
  bytes(number: number): Uint8Array {
    return this.#bytes.slice(this.#starts.at(number), this.#starts.at(number + 1));
  }

  /** All strings in the order of their numbers. */
  texts(): string[] {
    return Array.from({ length: this.size }, (_, number) => Buffer.from(this.bytes(number)).toString());
  }

  writeTo(draft: SectionDraft, name: string): void {
    addSection(draft, `${name}.starts`, this.#starts);
    addSection(draft, `${name}.bytes`, this.#bytes);
    addSection(draft, `${name}.slots`, this.#slots);
  }

  #equals(number: number, bytes: Uint8Array): boolean {
    const start = this.#starts.at(number);
    if (this.#starts.at(number + 1) - start !== bytes.length) return false;
    for (let i = 0; i < bytes.length; i++) if (this.#bytes.at(start + i) !== bytes[i]) return false;
    return true;
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes.at(number) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

/** Opens a dictionary that `DictionaryBuilder` wrote under this name. */
export function openDictionary(file: Sections, name: string): Dictionary {
  const strings = openStringList(file, name);
  const starts = file.u32(`${name}.starts`);
  const bytes = file.u8(`${name}.bytes`);
  const slots = file.u32(`${name}.slots`);
  const find = (text: string) => {
    const wanted = encodeUtf8(text);
    let slot = hashBytes(wanted) & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const number = slots[slot]! - 1;
      const start = starts[number]!;
      if (starts[number + 1]! - start !== wanted.length) continue;
      let i = 0;
      while (i < wanted.length && bytes[start + i] === wanted[i]) i++;
      if (i === wanted.length) return number;
    }
    return -1;
  };
  return { ...strings, find };
}

let scratch = Buffer.allocUnsafeSlow(1024);

/** Encodes a string in UTF-8 into a buffer that the next call overwrites. */
export function encodeUtf8(text: string): Uint8Array {
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 > scratch.length) scratch = Buffer.allocUnsafeSlow(text.length * 4);
  return scratch.subarray(0, scratch.write(text));
}

/** FNV-1a, 32 bits, with a final mixing step since tables use the low bits. */
export function hashBytes(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) value = Math.imul(value ^ bytes[i]!, 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
