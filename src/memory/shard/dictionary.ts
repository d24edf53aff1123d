import { addSection, type Draft, type ShardFile } from './format.ts';
import { openStrings, type Strings, StringsBuilder } from './strings.ts';

/** Texts by number and back. */
export interface Dictionary extends Strings {
  /** The number of a text, or -1. */
  find(text: string): number;
}

/** Numbers texts in the order of their first appearance. */
export class DictionaryBuilder {
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#numbers.size;
  }

  /** All texts in the order of their numbers. */
  texts(): string[] {
    return [...this.#numbers.keys()];
  }

  /** The number of a text, new or known. */
  number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    return number;
  }

  /**
   * Texts and a hash table over them, at most two thirds full: a slot holds the number of a text plus one, 0 is
   * free, collisions go to the next slot. It is used as it lies in the file.
   */
  writeTo(draft: Draft, name: string): void {
    const strings = new StringsBuilder();
    const slots = new Uint32Array(2 ** Math.ceil(Math.log2(this.size * 1.5 + 2)));
    let number = 0;
    for (const text of this.#numbers.keys()) {
      strings.add(text);
      let slot = hash(Buffer.from(text)) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = ++number;
    }
    strings.writeTo(draft, name);
    addSection(draft, `${name}.slots`, slots);
  }
}

/** Opens a dictionary that `DictionaryBuilder` wrote under this name. */
export function openDictionary(file: ShardFile, name: string): Dictionary {
  const strings = openStrings(file, name);
  const starts = file.u32(`${name}.starts`);
  const bytes = file.u8(`${name}.bytes`);
  const slots = file.u32(`${name}.slots`);
  const find = (text: string) => {
    const wanted = Buffer.from(text);
    let slot = hash(wanted) & (slots.length - 1);
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

/** FNV-1a with a last mixing step, since the table uses the low bits. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) value = Math.imul(value ^ bytes[i]!, 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
