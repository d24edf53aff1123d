/** Whether a browser can open a repository's address: http and https only, never `javascript:` and the like. */
export function isWebAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
