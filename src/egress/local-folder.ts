import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AppError } from '#contract/errors.ts';

/** `file:///folder/name`, with no host and nothing that a path does not have. */
const FILE_URL = /^file:\/\/\/(?!\/)[^\p{Cc}\\?#]*$/iu;

/** Normalizes the file URL of a local folder; null for any other text. */
export function parseFileUrl(text: string): string | null {
  if (!FILE_URL.test(text)) return null;
  try {
    return pathToFileURL(fileURLToPath(text)).href;
  } catch {
    // A slash or a zero that is written as `%2f` or `%00`.
    return null;
  }
}

/**
 * Returns the URL of a folder with all links resolved. Throws `bad_request`
 * unless it lies in one of the roots that the operator has opened; what lies elsewhere is not even looked at.
 */
export async function resolveLocalFolder(href: string, roots: readonly string[]): Promise<string> {
  const path = fileURLToPath(href);
  if (!isInside(path, roots)) throw folderNotAllowed();
  const folder = await realpath(path).catch(() => null);
  if (folder === null || !(await stat(folder)).isDirectory()) {
    throw new AppError('bad_request', 'repository_not_found', {
      reason: 'not_found_or_private',
    });
  }
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  if (!isInside(folder, realRoots)) throw folderNotAllowed();
  return pathToFileURL(folder).href;
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const way = relative(root, path);
    return way !== '..' && !way.startsWith(`..${sep}`);
  });
}

function folderNotAllowed(): AppError {
  return new AppError('bad_request', 'local_folder_not_allowed', { reason: 'folder_not_allowed' });
}
