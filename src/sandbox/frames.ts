/**
 * Messages between a process and its child: `length JSON`, the length in four bytes, big-endian. JSON rather than the
 * format of V8, whose reader is not safe for untrusted bytes.
 */
const HEAD_BYTES = 4;
/** Text that is taken for a length is one above this. */
const MAX_PLAUSIBLE_BYTES = 2 ** 29;

/** A message as it goes over the wire. */
export function encodeFrame(message: object): Buffer {
  const text = JSON.stringify(message);
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + size);
  frame.writeUInt32BE(size);
  frame.write(text, HEAD_BYTES);
  return frame;
}

/**
 * Takes bytes as they come and hands over whole messages. `onInvalid` is called once, and nothing after it, when a message is
 * larger than `maxBytes`, or none at all.
 */
export function createFrameReader<T extends object>(options: {
  maxBytes: number;
  onMessage(message: T): void;
  onInvalid(why: 'too_large' | 'invalid'): void;
}): (chunk: Buffer) => void {
  const { maxBytes, onMessage, onInvalid } = options;
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** Bytes of the message under way with its head; null until the head is there. */
  let wanted: number | null = null;
  let isInvalid = false;
  const fail = (why: 'too_large' | 'invalid') => {
    isInvalid = true;
    chunks = [];
    onInvalid(why);
  };
  return (chunk) => {
    if (isInvalid) return;
    chunks.push(chunk);
    bytes += chunk.length;
    while (!isInvalid && bytes >= (wanted ?? HEAD_BYTES)) {
      // Joined once the whole is there: joined at every chunk it would be copied again and again.
      const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      chunks = [whole];
      if (wanted === null) {
        const size = whole.readUInt32BE();
        if (size > maxBytes) return fail(size > MAX_PLAUSIBLE_BYTES ? 'invalid' : 'too_large');
        wanted = HEAD_BYTES + size;
        continue;
      }
      const message = parse<T>(whole.toString('utf8', HEAD_BYTES, wanted));
      chunks = [whole.subarray(wanted)];
      bytes -= wanted;
      wanted = null;
      if (message === null) return fail('invalid');
      onMessage(message);
    }
  };
}

function parse<T extends object>(text: string): T | null {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? (message as T) : null;
  } catch {
    return null;
  }
}
