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

const DOCUMENTS_OR_BUILT =
  /(?:^|\/)(?:docs?|Documentation|examples?|dist|vendor|node_modules|third_party)\/|\.min\.|[._]pb2?\.|\.generated\./i;

/** True for paths of code or tests that people write: not of documentation, examples, data or generated files. */
export function isReadableCode(path: string): boolean {
  return !DOCUMENTS_OR_BUILT.test(path) && !NO_CODE.has(detectLanguage(path, ''));
}
