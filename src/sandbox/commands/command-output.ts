import { redactSecrets } from '#secrets/redact-secrets.ts';

/** Collects what a command prints, with bounded memory. */
interface CommandOutput {
  add(chunk: Buffer): void;
  /** Bytes printed so far. */
  readonly bytes: number;
  readonly isTruncated: boolean;
  /** The text without secrets and escape sequences. */
  toString(): string;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is removed
/** Escape sequences of terminals: colors and cursor, titles and other strings, charsets. */
const ESCAPES =
  /\x1b(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|[\]_PX^][^\x07\x1b]{0,4000}(?:\x07|\x1b\\)?|[ -/]{0,4}[0-~])/g;
const CONTROL_CHARACTERS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: they are what is removed

/** Keeps the first and the last half of `maxBytes`: the command line's complaints, and the summary of the tests. */
export function collectOutput(maxBytes: number): CommandOutput {
  const half = Math.floor(maxBytes / 2);
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let [bytes, headBytes, tailBytes] = [0, 0, 0];
  const collected = () => Buffer.concat(tail);
  return {
    add(chunk) {
      bytes += chunk.length;
      const first = chunk.subarray(0, half - headBytes);
      if (first.length > 0) head.push(Buffer.from(first));
      headBytes += first.length;
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest));
      tailBytes += rest.length;
      if (tailBytes < 2 * half) return;
      tail = [collected().subarray(-half)];
      tailBytes = half;
    },
    get bytes() {
      return bytes;
    },
    get isTruncated() {
      return bytes > 2 * half;
    },
    toString() {
      const end = collected().subarray(-half);
      const leftOut = bytes - headBytes - end.length;
      const gap = leftOut > 0 ? `\n[${leftOut} bytes left out]\n` : '';
      return redactSecrets(clean(`${Buffer.concat(head).toString()}${gap}${end.toString()}`));
    },
  };
}

function clean(text: string): string {
  return text.replace(ESCAPES, '').replace(/\r\n?/g, '\n').replace(CONTROL_CHARACTERS, '');
}
