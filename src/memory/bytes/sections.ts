import { damaged, type Facts } from './container.ts';
import { SectionWriter } from './section-writer.ts';

type NumberArray = Uint8Array | Uint32Array | Float64Array;

/** Sections to be written, each in one or several chunks, and single values beside them. */
export interface SectionDraft {
  readonly sections: Map<string, readonly NumberArray[]>;
  readonly facts: Facts;
}

/** Creates an empty draft. */
export function createDraft(): SectionDraft {
  return { sections: new Map(), facts: {} };
}

/** Adds a section to a draft. Chunked arrays are never copied into one. */
export function addSection(
  draft: SectionDraft,
  name: string,
  data: NumberArray | { chunks(): NumberArray[] },
): void {
  draft.sections.set(name, 'chunks' in data ? data.chunks() : [data]);
}

/** Sections of a container, as typed arrays. Reading a section or a fact that is missing throws `index_rebuilding`. */
export interface Sections {
  u8(name: string): Uint8Array;
  u32(name: string): Uint32Array;
  f64(name: string): Float64Array;
  text(fact: string): string;
  number(fact: string): number;
  list(fact: string): string[];
}

/** Typed access to sections; `bytesOf` returns the bytes of one, aligned to 8, or undefined. */
export function createSections(facts: Facts, bytesOf: (name: string) => Uint8Array | undefined): Sections {
  const find = (name: string) => {
    const bytes = bytesOf(name);
    if (!bytes) throw damaged(`without section ${name}`);
    return bytes;
  };
  const fact = (name: string) => {
    const value = facts[name];
    if (value === undefined) throw damaged(`without fact ${name}`);
    return value;
  };
  return {
    u8: find,
    u32: (name) => {
      const { buffer, byteOffset, byteLength } = find(name);
      return new Uint32Array(buffer, byteOffset, byteLength / 4);
    },
    f64: (name) => {
      const { buffer, byteOffset, byteLength } = find(name);
      return new Float64Array(buffer, byteOffset, byteLength / 8);
    },
    text: (name) => fact(name) as string,
    number: (name) => fact(name) as number,
    list: (name) => fact(name) as string[],
  };
}

/** The sections of a draft that was read: each in one piece. */
export function viewDraft({ sections, facts }: SectionDraft): Sections {
  return createSections(facts, (name) => {
    const [bytes] = sections.get(name) ?? [];
    return bytes && asBytes(bytes);
  });
}

/** Writes a draft to a new container of this kind and makes it durable. */
export function writeSections(path: string, kind: string, { sections, facts }: SectionDraft): void {
  const writer = new SectionWriter(path, kind);
  try {
    for (const [name, chunks] of sections) {
      for (const chunk of chunks) writer.write(asBytes(chunk));
      writer.endSection(name);
    }
    writer.finish(facts);
  } catch (error) {
    writer.abort();
    throw error;
  }
}

/** The memory of an array as bytes. */
export function asBytes({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
