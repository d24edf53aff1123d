import { createHash } from 'node:crypto';

/** Bytes of an object at most: one buffer per request, and no request needs to be split. Larger files are lists of objects. */
export const MAX_OBJECT_BYTES = 8 * 2 ** 20;

/** An object as a store lists it. */
export interface ObjectInfo {
  key: string;
  bytes: number;
  modified: Date;
}

/** Immutable objects by key. Writing is durable once it resolves; failures are AppErrors of code `unavailable`. */
export interface ObjectStore {
  /** Place of the store for messages, without credentials. */
  readonly name: string;
  /** Writes an object, in place of one with the same key. */
  put(key: string, content: Buffer, signal?: AbortSignal): Promise<void>;
  /** Reads an object; null where there is none. */
  get(key: string, signal?: AbortSignal): Promise<Buffer | null>;
  head(key: string, signal?: AbortSignal): Promise<Omit<ObjectInfo, 'key'> | null>;
  /** Deletes an object; does nothing where there is none. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  /** Lists the objects of a folder, or all. */
  list(folder: string | null, signal?: AbortSignal): AsyncGenerator<ObjectInfo, void, undefined>;
}

/** SHA-256 of a content, the last part of its key. */
export function contentHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Key of a content in a folder. */
export function objectKey(folder: string, hash: string): string {
  return `${folder}/${hash}`;
}
