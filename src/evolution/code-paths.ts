import { detectLanguage } from '#memory/chunk/languages.ts';
import { isNonSource } from './fixes.ts';

/** Languages of data, markup and prose. */
const NO_CODE = new Set([
  ...['asciidoc', 'gettext', 'graphql', 'html', 'ini', 'json', 'markdown', 'proto'],
  ...['restructuredtext', 'tex', 'text', 'toml', 'xml', 'yaml'],
]);

/** True for paths of code by their name: not of tests, documentation, data or configuration. */
export function isCodePath(path: string): boolean {
  return !isNonSource(path) && !NO_CODE.has(detectLanguage(path, ''));
}
