/** Name of a release as shown: hashes of commits have seven characters, also behind the name of a package. */
export function formatRelease(name: string): string {
  return name.replace(/^((?:[^@]*@)?[0-9a-f]{7})[0-9a-f]{33}(?:[0-9a-f]{24})?$/, '$1');
}
