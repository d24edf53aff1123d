import type { FileDiff, Hunk } from '#contract/projects.ts';

/** Bytes of JSON beside the texts of a file, a hunk and a line, at most. */
const FILE_OVERHEAD_BYTES = 100;
const HUNK_OVERHEAD_BYTES = 130;
const LINE_OVERHEAD_BYTES = 32;

/** Limits of a diff in a reply. */
interface DiffLimits {
  maxFiles: number;
  /** Hunks of all files together. */
  maxHunks: number;
  /** Bytes of JSON. */
  maxBytes: number;
}

const jsonBytes = (text: string | null) => (text === null ? 4 : Buffer.byteLength(JSON.stringify(text)));

/** The beginning of a diff that is within the limits. The file in which it ends is marked as truncated. */
export function limitDiff(files: readonly FileDiff[], limits: DiffLimits): FileDiff[] {
  const shown: FileDiff[] = [];
  let bytes = 0;
  let hunks = 0;
  for (const file of files.slice(0, limits.maxFiles)) {
    bytes += FILE_OVERHEAD_BYTES + jsonBytes(file.old_path) + jsonBytes(file.new_path);
    if (bytes > limits.maxBytes) break;
    const kept: Hunk[] = [];
    shown.push({ ...file, hunks: kept });
    for (const hunk of file.hunks) {
      const cut = hunks < limits.maxHunks ? limitHunk(hunk, limits.maxBytes - bytes) : null;
      if (cut !== null) kept.push(cut.hunk);
      if (cut === null || cut.hunk.lines.length < hunk.lines.length) {
        shown.at(-1)!.truncated = true;
        return shown;
      }
      hunks += 1;
      bytes += cut.bytes;
    }
  }
  return shown;
}

/** The beginning of a hunk that takes so many bytes of JSON at most; null when not even its head does. */
export function limitHunk(hunk: Hunk, maxBytes: number): { hunk: Hunk; bytes: number } | null {
  let bytes = HUNK_OVERHEAD_BYTES + jsonBytes(hunk.header);
  if (bytes > maxBytes) return null;
  const end = hunk.lines.findIndex(({ text }) => {
    bytes += LINE_OVERHEAD_BYTES + jsonBytes(text);
    return bytes > maxBytes;
  });
  return { hunk: end === -1 ? hunk : { ...hunk, lines: hunk.lines.slice(0, end) }, bytes };
}
