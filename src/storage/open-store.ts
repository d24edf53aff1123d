import { fileURLToPath } from 'node:url';
import { createFolderStore } from './folder-store.ts';
import type { ObjectStore } from './object-store.ts';
import { createS3Store } from './s3-store.ts';

/** Settings of the object store. */
export interface ObjectStoreSettings {
  /** `file:` URL of a folder, or http(s) URL of a bucket. */
  url: string;
  region: string;
  accessKey: string | null;
  secretKey: string | null;
}

/** Opens the store of a URL; connects with the first request. */
export function openObjectStore({ url, region, accessKey, secretKey }: ObjectStoreSettings): ObjectStore {
  if (url.startsWith('file:')) return createFolderStore(fileURLToPath(url));
  return createS3Store({ url, region, accessKey: accessKey ?? '', secretKey: secretKey ?? '' });
}
