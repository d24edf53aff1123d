import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { SkipReason } from '#contract/projects.ts';
import { readSections, type ShardFile } from '../bytes/container.ts';
import { CODE_SEGMENT, FILES_FILE } from './generation-reader.ts';
import { CONTENT_SECTIONS, type ContentEntry, listContents } from './segments/code-segment.ts';
import { countReusableSegments } from './segments/merge-policy.ts';

/** What is known of a content: its number over all segments, or why it is left out. */
type ContentState = { number: number } | { reason: SkipReason };

/** The contents of the segments that a build goes on from, and those that it adds. */
export class IndexedContents {
  /** Names of the segments that are kept, oldest first. */
  readonly segments: readonly string[];
  readonly #contents = new Map<string, ContentState>();
  /** How many passages every content has. */
  readonly #passages: number[] = [];
  #added = 0;

  constructor(segments: readonly IndexedSegment[]) {
    this.segments = segments.map(({ name }) => name);
    for (const { contents, firstPassages } of segments) {
      const base = this.#passages.length;
      for (const [key, known] of contents) {
        this.#contents.set(key, 'blob' in known ? { number: base + known.blob } : known);
      }
      for (let blob = 0; blob + 1 < firstPassages.length; blob++) {
        this.#passages.push(firstPassages[blob + 1]! - firstPassages[blob]!);
      }
    }
  }

  /** One file for each content that is not known. */
  selectMissing<T extends { key: string }>(files: readonly T[]): T[] {
    const lacking = new Map<string, T>();
    for (const file of files) if (!this.#contents.has(file.key)) lacking.set(file.key, file);
    return [...lacking.values()];
  }

  /** What is known of a content that is not lacking. */
  get(key: string): ContentState {
    return this.#contents.get(key)!;
  }

  /** Notes the next content of the new segment, which has `passages` passages with it. */
  add(key: string, passages: number): void {
    this.#contents.set(key, { number: this.#passages.length });
    this.#passages.push(passages - this.#added);
    this.#added = passages;
  }

  skip(key: string, reason: SkipReason): void {
    this.#contents.set(key, { reason });
  }

  /** How many passages these contents have together. */
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
 * The segments of the generation in folder `previous` that are worth keeping for these files: none when it is null,
 * damaged or of another version.
 */
export async function loadReusableContents(
  previous: string | null,
  files: readonly { key: string }[],
): Promise<IndexedContents> {
  const segments = previous === null ? [] : await readIndexedSegments(previous);
  const wanted = new Set(files.map(({ key }) => key));
  const sizes = segments.map(({ contents }) => {
    let shown = 0;
    for (const key of contents.keys()) if (wanted.delete(key)) shown++;
    return { size: contents.size, shown };
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

/** What a segment's file tells of its contents. */
export function toIndexedSegment(name: string, file: ShardFile): IndexedSegment {
  return { name, contents: new Map(listContents(file)), firstPassages: file.u32('blobs.passages') };
}
