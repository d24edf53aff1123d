import { AppError } from '#contract/errors.ts';
import { type FilePiece, PIECE_BYTES } from '#contract/ide.ts';
import { gitStream } from '#git/run.ts';
import { findEntry } from '#git/tree.ts';

/** git unpacks a file from its beginning, so that the last piece of a larger one takes too long. */
const MAX_FILE_BYTES = 100 * 2 ** 20;
/** Longest end of a line that belongs to the piece before it. */
const MAX_LINE_REST = 1 << 16;
const LF = 10;

/**
 * Reads a piece of a text file at a commit: whole lines from `offset` on, unless a line is very long.
 * @throws AppError `not_found`, `too_large` above 100 MiB, `unsupported` for a file that is not text
 */
export async function readPiece(
  repo: string,
  commit: string,
  { path, offset, signal }: { path: string; offset: number; signal: AbortSignal },
): Promise<FilePiece> {
  const entry = await findEntry(repo, commit, path);
  if (entry?.type !== 'blob') throw new AppError('not_found', 'file_not_found');
  const size = entry.size ?? 0;
  if (size > MAX_FILE_BYTES) throw new AppError('too_large', 'file_too_large_for_pieces');
  // One byte before the piece says whether it begins a line.
  const from = Math.max(0, Math.min(offset, size) - 1);
  const { bytes, linesBefore, isBinary } = await readBytes(repo, entry.oid, { from, signal });
  if (isBinary) throw new AppError('unsupported', 'file_binary_not_opened');
  const begin = offset === 0 ? 0 : startOfLine(bytes);
  const end = endOfPiece(bytes, begin);
  return {
    path,
    commit,
    size,
    start: from + begin,
    end: from + end,
    first_line: linesBefore + countLines(bytes.subarray(0, begin)) + 1,
    text: bytes.toString('utf8', begin, end),
  };
}

/** Bytes from an offset on, enough for a piece, and the line feeds before them. */
async function readBytes(
  repo: string,
  oid: string,
  { from, signal }: { from: number; signal: AbortSignal },
): Promise<{ bytes: Buffer; linesBefore: number; isBinary: boolean }> {
  const wanted = PIECE_BYTES + 2 * MAX_LINE_REST;
  const chunks: Buffer[] = [];
  let [read, kept, linesBefore] = [0, 0, 0];
  let isBinary = false;
  for await (const chunk of gitStream(repo, ['cat-file', 'blob', oid], { name: 'cat-file', signal })) {
    if (read === 0) isBinary = chunk.subarray(0, 8_000).includes(0);
    const skipped = Math.max(0, Math.min(from - read, chunk.length));
    linesBefore += countLines(chunk.subarray(0, skipped));
    read += chunk.length;
    if (skipped < chunk.length) {
      chunks.push(chunk.subarray(skipped));
      kept += chunk.length - skipped;
    }
    if (kept >= wanted || isBinary) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, wanted), linesBefore, isBinary };
}

/** Offset after the first line feed; without one nearby, of the first whole character. */
function startOfLine(bytes: Buffer): number {
  const feed = bytes.subarray(0, MAX_LINE_REST).indexOf(LF);
  return feed === -1 ? startOfCharacter(bytes, Math.min(1, bytes.length)) : feed + 1;
}

function endOfPiece(bytes: Buffer, begin: number): number {
  const end = begin + PIECE_BYTES;
  if (bytes.length <= end) return bytes.length;
  const feed = bytes.subarray(end, end + MAX_LINE_REST).indexOf(LF);
  return feed === -1 ? startOfCharacter(bytes, end) : end + feed + 1;
}

/** Offset of the next byte that begins a character of UTF-8. */
function startOfCharacter(bytes: Buffer, at: number): number {
  let start = at;
  while (start < bytes.length && start < at + 4 && (bytes[start]! & 0xc0) === 0x80) start += 1;
  return start;
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}
