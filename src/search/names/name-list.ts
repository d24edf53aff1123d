/** Names in one block of bytes, by number, so that all of them can be compared in milliseconds. */
export interface NameList {
  readonly count: number;
  /** UTF-8 of all names, one after the other. */
  readonly bytes: Buffer;
  /** Begin of every name, and the end of the last. */
  readonly offsets: Uint32Array;
  /** Characters of every name; see `maskOf`. */
  readonly masks: Uint32Array;
}

/** Creates the list of some names. */
export function createNameList(names: readonly string[]): NameList {
  const bytes = Buffer.from(names.join(''));
  const offsets = new Uint32Array(names.length + 1);
  names.forEach((name, i) => {
    offsets[i + 1] = offsets[i]! + Buffer.byteLength(name);
  });
  const masks = new Uint32Array(names.length);
  for (let i = 0; i < names.length; i++) masks[i] = maskOf(bytes, offsets[i]!, offsets[i + 1]!);
  return { count: names.length, bytes, offsets, masks };
}

/** Returns a name of a list. */
export function nameAt({ bytes, offsets }: NameList, number: number): string {
  return bytes.toString('utf8', offsets[number]!, offsets[number + 1]!);
}

/** One bit for every letter, six for the digits. A name can only contain a text whose bits it has. */
export function maskOf(bytes: Uint8Array, from: number, to: number): number {
  let mask = 0;
  for (let i = from; i < to; i++) {
    const byte = foldCase(bytes[i]!);
    if (byte >= 97 && byte <= 122) mask |= 1 << (byte - 97);
    else if (byte >= 48 && byte <= 57) mask |= 1 << (26 + ((byte - 48) % 6));
  }
  return mask >>> 0;
}

/** Lower case of an ASCII letter; other bytes are unchanged. */
export function foldCase(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}
