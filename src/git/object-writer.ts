import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { assertOid, git } from './run.ts';

/** An object to be written. */
export interface NewObject {
  type: 'commit' | 'tree' | 'blob';
  content: Buffer;
}

/** Numbers of types in packs. */
const PACK_TYPES = { commit: 1, tree: 2, blob: 3 };

const compress = promisify(deflate) as (content: Uint8Array) => Promise<Buffer>;

/** The hash of an object, in the format of another hash of the same repository. Writes nothing. */
export function hashObject({ type, content }: NewObject, like: string): string {
  return createHash(algorithmOf(like)).update(`${type} ${content.length}\0`).update(content).digest('hex');
}

function algorithmOf(like: string): 'sha1' | 'sha256' {
  return assertOid(like).length === 64 ? 'sha256' : 'sha1';
}

/**
 * Writes objects by one git process, whatever their number, as loose objects. Every object is hashed by git itself again.
 * `like` is any hash of the repository.
 *
 *   pack   = "PACK" version count *object hash     hash of all that precedes it
 *   object = type and size, compressed content
 */
export async function writeObjects(repo: string, objects: readonly NewObject[], like: string): Promise<void> {
  const header = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
  header.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [header];
  for (const { type, content } of objects)
    parts.push(packEntryHeader(PACK_TYPES[type], content.length), await compress(content));
  const hash = createHash(algorithmOf(like));
  for (const part of parts) hash.update(part);
  const input = Buffer.concat([...parts, hash.digest()]);
  await git(repo, ['unpack-objects', '-q'], { name: 'unpack-objects', input });
}

/** Type and size: four bits of the size in the first byte, seven in each further one, the lowest first. */
function packEntryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Buffer.from([...bytes, byte]);
}
