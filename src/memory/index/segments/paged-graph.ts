import { findRun } from '../../bytes/groups.ts';
import type { SectionFile } from '../../bytes/section-file.ts';
import { segmentOffsets } from './commit-segment.ts';
import { EXTERNAL_PARENT } from './commit-segment-builder.ts';
import type { CommitGraphReader } from './extend-order.ts';

const WORD = Uint32Array.BYTES_PER_ELEMENT;

/** Hashes, parents and dates of the commits of several segments, of which only the pages that are asked for are read. */
export class PagedGraph implements CommitGraphReader {
  readonly #segments: readonly PagedSegment[];
  /** First number of each segment's commits, and the total count. */
  readonly bases: Uint32Array;

  constructor(files: readonly SectionFile[]) {
    this.#segments = files.map((file) => new PagedSegment(file));
    this.bases = segmentOffsets(this.#segments);
    this.parents = this.parents.bind(this);
    this.committed = this.committed.bind(this);
  }

  /** Number of a full hash; -1 when absent. */
  find(oid: Uint8Array): number {
    for (const [i, segment] of this.#segments.entries()) {
      const found = segment.find(oid);
      if (found !== -1) return this.bases[i]! + found;
    }
    return -1;
  }

  oid(commit: number): Uint8Array {
    const { segment, local } = this.#locate(commit);
    return segment.oid(local);
  }

  parents(commit: number): number[] {
    const { segment, local, base } = this.#locate(commit);
    return segment.parents(local).flatMap((parent) => {
      if (parent < EXTERNAL_PARENT) return base + parent;
      const found = this.find(segment.outside(parent - EXTERNAL_PARENT));
      return found === -1 ? [] : found;
    });
  }

  /** True when no parent of a commit is missing, as at the end of a history that was cut off. */
  hasAllParents(commit: number): boolean {
    const { segment, local } = this.#locate(commit);
    return segment.parents(local).length === this.parents(commit).length;
  }

  committed(commit: number): number {
    const { segment, local } = this.#locate(commit);
    return segment.committed(local);
  }

  #locate(commit: number) {
    const i = findRun(this.bases, commit);
    return { segment: this.#segments[i]!, local: commit - this.bases[i]!, base: this.bases[i]! };
  }
}

/** Sections of a commit segment by their places in the file. */
class PagedSegment {
  readonly count: number;
  readonly #file: SectionFile;
  readonly #width: number;

  constructor(file: SectionFile) {
    this.#file = file;
    this.count = file.section('committed').bytes / WORD;
    this.#width = Number(file.facts.oidBytes);
  }

  oid = (commit: number) => this.#bytes('oids', commit);
  outside = (number: number) => this.#bytes('outside.oids', number);
  committed = (commit: number) => this.#u32('committed', commit);

  parents(commit: number): number[] {
    const [from, to] = [this.#u32('parents.starts', commit), this.#u32('parents.starts', commit + 1)];
    return Array.from({ length: to - from }, (_, at) => this.#u32('parents.values', from + at));
  }

  find(wanted: Uint8Array): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.#ordered(middle), wanted) < 0) low = middle + 1;
      else high = middle;
    }
    const found = low < this.count ? this.#u32('oidOrder', low) : -1;
    return found !== -1 && Buffer.compare(this.oid(found), wanted) === 0 ? found : -1;
  }

  #ordered(place: number): Buffer {
    return this.oid(this.#u32('oidOrder', place));
  }

  #u32(section: string, index: number): number {
    return this.#file.read(this.#file.section(section).offset + index * WORD, WORD).readUInt32LE();
  }

  #bytes(section: string, index: number): Buffer {
    return this.#file.read(this.#file.section(section).offset + index * this.#width, this.#width);
  }
}
