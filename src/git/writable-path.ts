import { AppError, type ErrorMessage } from '#contract/errors.ts';
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
export function assertWritablePath(path: string): void {
  const problem = findProblem(path);
  if (problem)
    throw new AppError('bad_request', problem.key, { params: problem.params, reason: 'invalid_path' });
}

function findProblem(path: string): ErrorMessage | null {
  if (path === '') return { key: 'path_empty' };
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return { key: 'path_control_characters' };
  if (path.includes('\\')) return { key: 'path_backslash' };
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    return { key: 'path_too_long', params: { limit: MAX_PATH_BYTES } };
  const segments = path.split('/');
  if (segments.length > MAX_PATH_DEPTH) return { key: 'path_too_deep', params: { limit: MAX_PATH_DEPTH } };
  for (const segment of segments) {
    if (segment === '') return { key: 'path_empty_part' };
    if (segment === '.' || segment === '..') return { key: 'path_dot_part' };
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
      return { key: 'path_part_too_long', params: { limit: MAX_SEGMENT_BYTES } };
    }
    const known = canonicalSegment(segment);
    if (GIT_FOLDER.test(known)) return { key: 'path_reserved_by_git' };
    if (GIT_MODULES.test(known)) return { key: 'submodule_not_editable' };
  }
  return null;
}

function canonicalSegment(segment: string): string {
  return segment
    .normalize('NFC')
    .replace(HFS_IGNORED, '')
    .toLowerCase()
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '');
}
