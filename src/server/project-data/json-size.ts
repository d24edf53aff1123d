/** Returns the bytes of a text as JSON. */
export function jsonByteLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** Maximum bytes of one UTF-16 code unit in JSON. */
const MAX_CHARACTER_BYTES = 6;

/** Truncates a text to `maxBytes` of JSON, with an ellipsis. */
export function truncateToJsonBytes(text: string, maxBytes: number): string {
  if (text.length * MAX_CHARACTER_BYTES <= maxBytes || jsonByteLength(text) <= maxBytes) return text;
  return `${text.slice(0, Math.max(0, Math.floor(maxBytes / MAX_CHARACTER_BYTES) - 1))}…`;
}

/**
 * Divides a number of bytes among the items of a page: each may use an equal part of what earlier items left, so that small
 * items leave space for larger ones after them.
 */
export function createByteBudget(total: number, items: number) {
  let [bytes, left] = [total, items];
  return <T>(make: (maxBytes: number) => T): T => {
    const item = make(Math.floor(bytes / Math.max(1, left)));
    bytes = Math.max(0, bytes - Buffer.byteLength(JSON.stringify(item)));
    left -= 1;
    return item;
  };
}
