import { AppError } from '#contract/errors.ts';
import type { JsonText } from '#contract/json-text.ts';
import { MAX_REPLY_BYTES } from '#contract/route.ts';

/** A reply that one of our threads has serialized; it is not checked against the contract at run time. */
export class SerializedReply<T extends object> {
  readonly text: JsonText<T>;
  constructor(text: JsonText<T>) {
    this.text = text;
  }
}

/** Serializes a reply to JSON. Throws `too_large`, without building the text, when it exceeds the limit of its route. */
export function serializeReply(value: unknown, maxBytes: number = MAX_REPLY_BYTES): string {
  if (value instanceof SerializedReply || !exceeds(value, maxBytes)) {
    const text = value instanceof SerializedReply ? value.text : JSON.stringify(value);
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  const size = Math.round(maxBytes / 2 ** 20);
  throw new AppError('too_large', 'reply_too_large', { params: { size }, reason: 'response_too_large' });
}

/** True when a value has more characters and commas than `max`: its JSON is at least as long, and at most six times. */
function exceeds(value: unknown, max: number): boolean {
  let size = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && size <= max) {
    const next = left.pop();
    size += 1;
    if (typeof next === 'string') size += next.length;
    else if (Array.isArray(next)) for (const item of next) left.push(item);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        size += key.length;
        left.push(item);
      }
    }
  }
  return size > max;
}
