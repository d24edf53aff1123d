import { posix } from 'node:path';
import { isNonSource } from '#evolution/fixes.ts';
import { isBenchmarkPath } from '../understand/path-table.ts';

/** Kind of a file by its path, in the order in which an answer lists them. */
export type PathKind = 'source' | 'test' | 'document' | 'example';

const TEST_FOLDER =
  /(?:^|\/)(?:t|tests?|testing|__tests__|spec|specs|testdata|integration-tests?|e2e|tests?[_-](?:e2e|unit|integration|functional|data))\//i;
const TEST_FILE =
  /^(?:tests?_.*|conftest\.py)$|[._-](?:tests?|spec)\.[^.]+$|^tests?\.[^.]+$|(?<=[a-z0-9])(?:Tests?|TestCase|IT)\.(?:java|kt|php|cs|scala|groovy)$/;
const DOCUMENT =
  /(?:^|\/)(?:docs?|Documentation|guides?|man)\/|\.(?:mdx?|markdown|rst|adoc|txt|ronn|[1-9])(?:\.in)?$/i;
const DOCUMENT_NAME = /^(?:README|CHANGE(?:S|LOG)|HISTORY|NEWS|AUTHORS|LICEN[CS]E|CONTRIBUTING)[^/]*$/i;
/** Packages of programs that are named after documents, such as a generator of them. */
const DOCUMENT_PACKAGE =
  /(?:^|\/)(?:docs?|man)\/(?:[^/]+\/)*[^/]+\.(?:go|rs|java|kt|cs|c|cc|cpp|h|swift|scala)$/;
const BUILD_TEXT = /(?:^|\/)(?:CMakeLists|requirements[^/]*)\.txt$/i;

/** Templates of settings, whose comments describe them: `.env.example`, `config.sample.yml`. */
export const SETTINGS_TEMPLATE =
  /(?:^|\/)\.env[.-](?:template|example|sample|dist|defaults?)$|(?:^|[/._-])(?:example|sample|template|dist)[^/]*\.(?:ya?ml|toml|ini|conf|cfg|env|properties|js|json)$|\.(?:ya?ml|toml|ini|conf|cfg|env|properties|js|json)[.-](?:example|sample|template|dist)$/i;
/** Words of a question about tests, in four languages. */
export const TEST_WORDS =
  /\b(?:test(?:s|ed|ing)?|specs?|pruebas?|probad[ao]s?|essais?|test(?:ée?s?|es)|getestet)(?!\p{L})/iu;
/** Texts of the program in other languages, which have the words of every question. */
export const TRANSLATIONS =
  /(?:^|\/)(?:locales?|translations?|i18n|lang(?:uages)?)\/.*\.(?:json|po|ya?ml|properties|php|ts|js)$/i;

/** Classifies a path. */
export function pathKind(path: string): PathKind {
  if (BUILD_TEXT.test(path)) return 'source';
  if (isTestPath(path)) return 'test';
  if (DOCUMENT_PACKAGE.test(path)) return 'source';
  if (DOCUMENT.test(path) || DOCUMENT_NAME.test(posix.basename(path))) return 'document';
  return isNonSource(path) || isBenchmarkPath(path) ? 'example' : 'source';
}

/** True for files of tests, by their names and folders. */
export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_FILE.test(posix.basename(path));
}

const ORDER: PathKind[] = ['source', 'test', 'example', 'document'];

/** Rank of a path: source code, tests, examples, documents. */
export function pathOrder(path: string): number {
  return ORDER.indexOf(pathKind(path));
}

/** Path without its folders and extensions: `app` of `src/app.test.ts` is `app.test`. */
export function fileStem(path: string): string {
  return posix.basename(path).replace(/(?<=.)\.[^.]+$/, '');
}

/** True for a file in the folder or below it; the empty folder is the root. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder.replace(/\/+$/, '')}/`);
}
