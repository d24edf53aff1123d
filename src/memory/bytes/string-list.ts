import { ChunkedUint8Array, ChunkedUint32Array } from './chunked-arrays.ts';
import { addSection, type SectionDraft, type Sections } from './sections.ts';

/** Strings by number: concatenated UTF-8 and the start of each. */
export interface StringList {
  readonly count: number;
  get(index: number): string;
}

/** Collects strings, numbered from 0. */
export class StringListBuilder {
  readonly #starts = new ChunkedUint32Array();
  readonly #bytes = new ChunkedUint8Array();

  get allocatedBytes(): number {
    return this.#starts.allocatedBytes + this.#bytes.allocatedBytes;
  }

  add(text: string): void {
    this.#starts.push(this.#bytes.length);
    this.#bytes.append(Buffer.from(text));
  }

  writeTo(draft: SectionDraft, name: string): void {
    this.#starts.push(this.#bytes.length);
    addSection(draft, `${name}.starts`, this.#starts);
    addSection(draft, `${name}.bytes`, this.#bytes);
  }
}

/** Opens strings that `StringListBuilder` wrote under this name. */
export function openStringList(file: Sections, name: string): StringList {
  const starts = file.u32(`${name}.starts`);
  const section = file.u8(`${name}.bytes`);
  const bytes = Buffer.from(section.buffer, section.byteOffset, section.byteLength);
  return {
    count: starts.length - 1,
    get: (index) => bytes.toString('utf8', starts[index], starts[index + 1]),
  };
}
