/** Bytes with ASCII letters in lower case, which trigrams consist of. */
export const ASCII_LOWERCASE = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

/** Parameter of the Rice code: low bits of a gap that are stored verbatim, optimal for random gaps. Source: Golomb 1966. */
export function riceParameter(count: number, blobs: number): number {
  return Math.max(0, Math.floor(Math.log2((0.69 * blobs) / count)));
}
