/** Path of a watch as it is stored: without slashes at its ends. */
export function trimWatchPath(path: string): string {
  return path.replace(/^(?:\.?\/)+|\/+$/g, '');
}
