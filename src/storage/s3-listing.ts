import sax from 'sax';
import { AppError } from '#contract/errors.ts';
import type { ObjectInfo } from './object-store.ts';

/** Parses a page of `ListObjectsV2`. `next` continues it. Throws `unavailable` for anything else. */
export function parseListing(xml: string): { objects: ObjectInfo[]; next: string | null } {
  const path: string[] = [];
  const objects: ObjectInfo[] = [];
  let [isTruncated, next, isListing]: [boolean, string | null, boolean] = [false, null, false];
  let fields: Record<string, string> = {};
  let text = '';
  const reader = sax.parser(true, { trim: false });
  reader.onopentag = ({ name }) => {
    path.push(name);
    text = '';
    if (path.length === 1) isListing = name === 'ListBucketResult';
    if (path.length === 2 && name === 'Contents') fields = {};
  };
  reader.ontext = (part) => {
    text += part;
  };
  reader.onclosetag = (name) => {
    if (path.length === 3 && path[1] === 'Contents') fields[name] = text;
    if (path.length === 2 && name === 'Contents') objects.push(toObject(fields));
    if (path.length === 2 && name === 'IsTruncated') isTruncated = text === 'true';
    if (path.length === 2 && name === 'NextContinuationToken') next = text;
    path.pop();
    text = '';
  };
  reader.onerror = (error) => {
    throw invalidListing(error);
  };
  reader.write(xml).close();
  if (!isListing || (isTruncated && next === null)) throw invalidListing();
  return { objects, next: isTruncated ? next : null };
}

function toObject({ Key, Size, LastModified }: Record<string, string>): ObjectInfo {
  const object = { key: Key ?? '', bytes: Number(Size), modified: new Date(LastModified ?? Number.NaN) };
  if (object.key === '' || Number.isNaN(object.modified.getTime())) throw invalidListing();
  return object;
}

function invalidListing(cause?: unknown): AppError {
  return new AppError('unavailable', 'object_store_refused', {
    params: { reason: 'InvalidListing' },
    reason: 'object_store_refused',
    cause,
  });
}
