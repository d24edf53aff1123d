import type { FieldIndex } from '../memory.ts';
import { openDictionary } from './dictionary.ts';
import { addSection, type Draft, type ShardFile } from './format.ts';
import { GrowingBytes, GrowingNumbers } from './growing.ts';

const MOST = 255;
/** Collects the terms of one field, document by document. */
export class IndexBuilder {
  readonly #terms = new GrowingNumbers();
  readonly #counts = new GrowingBytes();
  /** Where each document's terms begin. */
  readonly #starts = new GrowingNumbers();
  readonly #lengths = new GrowingNumbers();
  #open: number[] = [];
  #openCounts = new Uint32Array(1024);
  #openLength = 0;
  #total = 0;

  /** Adds a term to the open document. */
  add(term: number): void {
    if (term >= this.#openCounts.length) {
      const grown = new Uint32Array(Math.max(term + 1, this.#openCounts.length * 2));
      grown.set(this.#openCounts);
      this.#openCounts = grown;
    }
    if (this.#openCounts[term]!++ === 0) this.#open.push(term);
    this.#openLength++;
  }

  /** Ends the open document; the next one is open. */
  close(): void {
    this.#starts.push(this.#terms.length);
    for (const term of this.#open) {
      this.#terms.push(term);
      this.#counts.push(Math.min(this.#openCounts[term]!, MOST));
      this.#openCounts[term] = 0;
    }
    this.#endAt(this.#openLength);
    this.#open = [];
    this.#openLength = 0;
  }

  /** Ends the open document as a copy of an earlier one. */
  closeAs(document: number): void {
    const end = document + 1 < this.#starts.length ? this.#starts.at(document + 1) : this.#terms.length;
    const start = this.#starts.at(document);
    this.#starts.push(this.#terms.length);
    for (let i = start; i < end; i++) {
      this.#terms.push(this.#terms.at(i));
      this.#counts.push(this.#counts.at(i));
    }
    this.#endAt(this.#lengths.at(document));
  }

  #endAt(length: number): void {
    this.#lengths.push(length);
    this.#total += length;
  }

  /** Turns documents with terms into terms with documents by a counting sort, and writes them. */
  writeTo(draft: Draft, name: string, termCount: number): void {
    const total = this.#terms.length;
    const starts = new Uint32Array(termCount + 1);
    for (let i = 0; i < total; i++) starts[this.#terms.at(i) + 1]!++;
    for (let term = 0; term < termCount; term++) starts[term + 1]! += starts[term]!;
    const next = starts.slice();
    const docs = new Uint32Array(total);
    const counts = new Uint8Array(total);
    for (let doc = 0; doc < this.#starts.length; doc++) {
      const end = doc + 1 < this.#starts.length ? this.#starts.at(doc + 1) : total;
      for (let i = this.#starts.at(doc); i < end; i++) {
        const place = next[this.#terms.at(i)]!++;
        docs[place] = doc;
        counts[place] = this.#counts.at(i);
      }
    }
    addSection(draft, `${name}.starts`, starts);
    addSection(draft, `${name}.docs`, docs);
    addSection(draft, `${name}.counts`, counts);
    addSection(draft, `${name}.lengths`, this.#lengths);
    draft.facts[`${name}.average`] = this.#total / (this.#lengths.length || 1);
  }
}

/** Opens a field that `IndexBuilder` wrote; `terms` names the dictionary that numbers its terms. */
export function openIndex(file: ShardFile, name: string, terms: string): FieldIndex {
  const dictionary = openDictionary(file, terms);
  const starts = file.u32(`${name}.starts`);
  const docs = file.u32(`${name}.docs`);
  const counts = file.u8(`${name}.counts`);
  const lengths = file.u32(`${name}.lengths`);
  return {
    count: lengths.length,
    averageLength: file.number(`${name}.average`),
    lengths,
    postings: (term) => {
      const number = dictionary.find(term);
      if (number === -1 || starts[number] === starts[number + 1]) return null;
      const [from, to] = [starts[number], starts[number + 1]];
      return { docs: docs.subarray(from, to), counts: counts.subarray(from, to) };
    },
  };
}
