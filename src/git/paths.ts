/** Limits of a path that is indexed, shown in lists, and written; git itself has none. */
export const MAX_PATH_BYTES = 1024;
export const MAX_SEGMENT_BYTES = 255;
export const MAX_PATH_DEPTH = 64;

/** Up to this length no limit can be exceeded: a character takes three bytes at most, a segment two characters. */
const ALWAYS_SHORT = MAX_SEGMENT_BYTES / 3;

/** True for a path within the limits. Others are counted, but neither indexed nor listed. */
export function isIndexablePath(path: string): boolean {
  if (path.length <= ALWAYS_SHORT) return true;
  if (path.length > MAX_PATH_BYTES || Buffer.byteLength(path) > MAX_PATH_BYTES) return false;
  const segments = path.split('/');
  return (
    segments.length <= MAX_PATH_DEPTH &&
    segments.every((segment) => Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES)
  );
}
