/** Bytes with the letters of ASCII in lower case: what trigrams are made of. */
export const ASCII_LOWERCASE = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

/** Low bits of a gap that are written as they are: the best for gaps as chance makes them. Source: Golomb 1966. */
export function riceParameter(count: number, blobs: number): number {
  return Math.max(0, Math.floor(Math.log2((0.69 * blobs) / count)));
}
