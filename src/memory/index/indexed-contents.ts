import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { SkipReason } from '#contract/projects.ts';
import { readSections } from '../bytes/section-file.ts';
import type { Sections } from '../bytes/sections.ts';
import { CODE_SEGMENT, FILES_FILE } from './generation-reader.ts';
import { CONTENT_SECTIONS, type ContentEntry, listContents } from './segments/code-segment.ts';
import { countReusableSegments } from './segments/merge-policy.ts';

/** State of a content: its number over all segments, or the reason why it is skipped. */
type ContentState = { number: number } | { reason: SkipReason };

/** Contents of reused segments, and those that a build adds. */
export class IndexedContents {
  /** Names of the reused segments, oldest first. */
  readonly segments: readonly string[];
  readonly #contents = new Map<string, ContentState>();
  /** Number of passages of every content. */
  readonly #passages: number[] = [];
  #added = 0;

  constructor(segments: readonly IndexedSegment[]) {
    this.segments = segments.map(({ name }) => name);
    for (const { contents, firstPassages } of segments) {
      const base = this.#passages.length;
      for (const [key, entry] of contents) {
        this.#contents.set(key, 'blob' in entry ? { number: base + entry.blob } : entry);
      }
      for (let blob = 0; blob + 1 < firstPassages.length; blob++) {
        this.#passages.push(firstPassages[blob + 1]! - firstPassages[blob]!);
      }
    }
  }

  /** Selects one file for each content that is not indexed. */
  selectMissing<T extends { key: string }>(files: readonly T[]): T[] {
    const missing = new Map<string, T>();
    for (const file of files) if (!this.#contents.has(file.key)) missing.set(file.key, file);
    return [...missing.values()];
  }

  /** State of an indexed content. */
  get(key: string): ContentState {
    return this.#contents.get(key)!;
  }

  /** Adds the next content of the new segment, which then has `passages` passages. */
  add(key: string, passages: number): void {
    this.#contents.set(key, { number: this.#passages.length });
    this.#passages.push(passages - this.#added);
    this.#added = passages;
  }

  skip(key: string, reason: SkipReason): void {
    this.#contents.set(key, { reason });
  }

  /** Counts the passages of these contents. */
  countPassages(numbers: Iterable<number>): number {
    let sum = 0;
    for (const number of numbers) sum += this.#passages[number]!;
    return sum;
  }
}

interface IndexedSegment {
  readonly name: string;
  readonly contents: ReadonlyMap<string, ContentEntry>;
  readonly firstPassages: Uint32Array;
}

/**
 * Loads the segments of the generation in folder `previous` that are worth reusing for these files: none when it is
 * null, damaged or of another version.
 */
export async function loadReusableContents(
  previous: string | null,
  files: readonly { key: string }[],
): Promise<IndexedContents> {
  const segments = previous === null ? [] : await readIndexedSegments(previous);
  const wanted = new Set(files.map(({ key }) => key));
  const sizes = segments.map(({ contents }) => {
    let live = 0;
    for (const key of contents.keys()) if (wanted.delete(key)) live++;
    return { size: contents.size, live };
  });
  return new IndexedContents(segments.slice(0, countReusableSegments(sizes, wanted.size)));
}

async function readIndexedSegments(previous: string): Promise<IndexedSegment[]> {
  try {
    const files = await readSections(join(previous, FILES_FILE), FILES_FILE, []);
    const segments: IndexedSegment[] = [];
    for (const name of files.list('segments')) {
      segments.push(
        toIndexedSegment(name, await readSections(join(previous, name), CODE_SEGMENT, CONTENT_SECTIONS)),
      );
    }
    return segments;
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return [];
    throw error;
  }
}

/** Lists the contents of a segment. */
export function toIndexedSegment(name: string, file: Sections): IndexedSegment {
  return { name, contents: new Map(listContents(file)), firstPassages: file.u32('blobs.passages') };
}
