import { AppError } from '#contract/errors.ts';
import { MAX_PATH_BYTES, MAX_PATH_DEPTH, MAX_SEGMENT_BYTES } from './paths.ts';

/** Code points that HFS+ passes over when it compares names: `.g\u200cit` is `.git` there. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Names that some file system takes for `.git`: NTFS drops dots and spaces at the end, reads a stream behind `:`,
 * and knows every name by a short one, too. `mktree` refuses none of them, so this does.
 */
const GIT_FOLDER = /^(?:\.git|git~\d+)$/;
/** The short forms are those of fsck: `GITMOD~1`, and the hashed `GI7EBA~1`. */
const GIT_MODULES = /^(?:\.gitmodules|gitmod~\d+|gi7eb[0-9a-f]~\d+)$/;

/** Throws `bad_request` with a sentence unless a file may be written at this path of a repository. */
export function checkWritablePath(path: string): void {
  const problem = problemOf(path);
  if (problem) throw new AppError('bad_request', problem, { reason: 'bad_path' });
}

function problemOf(path: string): string | null {
  if (path === '') return 'Give the file a name.';
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return 'A path can’t hold control characters.';
  if (path.includes('\\')) return 'Separate folders by `/`; a path can’t hold a backslash.';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `A path can’t be longer than ${MAX_PATH_BYTES} bytes.`;
  const segments = path.split('/');
  if (segments.length > MAX_PATH_DEPTH) return `A path can’t have more than ${MAX_PATH_DEPTH} names.`;
  for (const segment of segments) {
    if (segment === '') return 'A path can’t begin or end with `/`, nor hold two of them in a row.';
    if (segment === '.' || segment === '..') return 'A path can’t hold `.` or `..` as a folder.';
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
      return `A name can’t be longer than ${MAX_SEGMENT_BYTES} bytes.`;
    }
    const known = asFileSystemsReadIt(segment);
    if (GIT_FOLDER.test(known)) return 'This name belongs to git itself.';
    if (GIT_MODULES.test(known)) return 'Submodules can’t be edited here.';
  }
  return null;
}

function asFileSystemsReadIt(segment: string): string {
  return segment
    .normalize('NFC')
    .replace(HFS_IGNORED, '')
    .toLowerCase()
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '');
}
