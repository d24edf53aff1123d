/** Bytes that a text takes as JSON. */
export function jsonByteLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** A character takes six bytes of JSON at most. */
const MAX_CHARACTER_BYTES = 6;

/** The beginning of a text that fits into so many bytes of JSON, with an ellipsis where it is cut. */
export function truncateToJsonBytes(text: string, maxBytes: number): string {
  if (text.length * MAX_CHARACTER_BYTES <= maxBytes || jsonByteLength(text) <= maxBytes) return text;
  return `${text.slice(0, Math.max(0, Math.floor(maxBytes / MAX_CHARACTER_BYTES) - 1))}…`;
}

/**
 * Shares bytes among the items of a page: each may take an equal part of what the ones before have left, so that small
 * items leave room for large ones behind them.
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
