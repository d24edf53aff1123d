import { type Groups, valuesOf } from '../../bytes/groups.ts';
import type { FieldIndex } from '../../repository-index.ts';
import type { VisibleContents } from './code-table.ts';
import { mean, sortPostings } from './postings-reader.ts';

/** Counts are capped here. */
const MAX_COUNT = 255;

/**
 * Creates an index whose documents are files from the `fields` of passages: the counts of a term anywhere in a file.
 * The passages of a blob are adjacent, so counts are sums over neighbors; `files` groups files by blob.
 */
export function createFileFieldIndex(
  contents: VisibleContents,
  files: Groups,
  fields: readonly FieldIndex[],
): FieldIndex {
  const { firstPassages } = contents;
  const blobCount = firstPassages.length - 1;
  const fileCount = files.values.length;
  const blobOf = new Uint32Array(firstPassages[blobCount]!);
  for (let blob = 0; blob < blobCount; blob++)
    blobOf.fill(blob, firstPassages[blob], firstPassages[blob + 1]);
  const lengths = fileLengths(contents, files, fields);

  const sums = new Uint32Array(blobCount);
  const foundBlobs = new Uint32Array(blobCount);
  const [docs, counts] = [new Uint32Array(fileCount), new Uint8Array(fileCount)];
  const scratch = new Uint8Array(fileCount);
  const postings = (term: string) => {
    let blobs = 0;
    for (const field of fields) {
      const list = field.postings(term);
      if (!list) continue;
      for (let i = 0; i < list.docs.length; i++) {
        const blob = blobOf[list.docs[i]!]!;
        if (sums[blob] === 0) foundBlobs[blobs++] = blob;
        sums[blob]! += list.counts[i]!;
      }
    }
    let length = 0;
    let sorted = true;
    for (let i = 0; i < blobs; i++) {
      const blob = foundBlobs[i]!;
      for (let at = files.starts[blob]!; at < files.starts[blob + 1]!; at++) {
        docs[length] = files.values[at]!;
        if (length > 0 && docs[length - 1]! > docs[length]!) sorted = false;
        counts[length++] = Math.min(sums[blob]!, MAX_COUNT);
      }
      sums[blob] = 0;
    }
    if (length === 0) return null;
    const found = { docs: docs.subarray(0, length), counts: counts.subarray(0, length) };
    if (!sorted) sortPostings(found.docs, found.counts, scratch);
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
