/** Whether a browser can open a repository's address: http and https only, never `javascript:` and the like. */
export function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
