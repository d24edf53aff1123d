import { type Groups, valuesOf } from '../../bytes/chunked-arrays.ts';
import type { FieldIndex } from '../../repository-index.ts';
import type { VisibleContents } from './code-table.ts';
import { mean, sortPostings } from './postings-reader.ts';

/** Counts are told up to this. */
const MAX_COUNT = 255;

/**
 * An index whose documents are files, worked out from the passages' `fields`: how often a term stands anywhere in
 * the file. The passages of a blob follow one another, so a sum over neighbours is all that it takes; `files` are
 * those that show a blob.
 */
export function createFileFieldIndex(
  shown: VisibleContents,
  files: Groups,
  fields: readonly FieldIndex[],
): FieldIndex {
  const { firstPassages } = shown;
  const blobCount = firstPassages.length - 1;
  const fileCount = files.values.length;
  const blobOf = new Uint32Array(firstPassages[blobCount]!);
  for (let blob = 0; blob < blobCount; blob++)
    blobOf.fill(blob, firstPassages[blob], firstPassages[blob + 1]);
  const lengths = fileLengths(shown, files, fields);

  const sums = new Uint32Array(blobCount);
  const touched = new Uint32Array(blobCount);
  const [docs, counts] = [new Uint32Array(fileCount), new Uint8Array(fileCount)];
  const spread = new Uint8Array(fileCount);
  const postings = (term: string) => {
    let blobs = 0;
    for (const field of fields) {
      const found = field.postings(term);
      if (!found) continue;
      for (let i = 0; i < found.docs.length; i++) {
        const blob = blobOf[found.docs[i]!]!;
        if (sums[blob] === 0) touched[blobs++] = blob;
        sums[blob]! += found.counts[i]!;
      }
    }
    let length = 0;
    let sorted = true;
    for (let i = 0; i < blobs; i++) {
      const blob = touched[i]!;
      for (let at = files.starts[blob]!; at < files.starts[blob + 1]!; at++) {
        docs[length] = files.values[at]!;
        if (length > 0 && docs[length - 1]! > docs[length]!) sorted = false;
        counts[length++] = Math.min(sums[blob]!, MAX_COUNT);
      }
      sums[blob] = 0;
    }
    if (length === 0) return null;
    const found = { docs: docs.subarray(0, length), counts: counts.subarray(0, length) };
    if (!sorted) sortPostings(found.docs, found.counts, spread);
    return found;
  };
  return { count: fileCount, averageLength: mean(lengths), lengths, postings };
}

function fileLengths(
  { firstPassages }: VisibleContents,
  files: Groups,
  fields: readonly FieldIndex[],
): Uint32Array {
  const lengths = new Uint32Array(files.values.length);
  for (let blob = 0; blob + 1 < firstPassages.length; blob++) {
    let length = 0;
    for (const field of fields) {
      for (let passage = firstPassages[blob]!; passage < firstPassages[blob + 1]!; passage++) {
        length += field.lengths[passage]!;
      }
    }
    for (const file of valuesOf(files, blob)) lengths[file] = length;
  }
  return lengths;
}
