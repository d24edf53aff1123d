import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import type { Instance } from './options.ts';

/** Files of a language by their endings. JavaScript and TypeScript are one family: projects move between them. */
const ENDINGS: Record<string, RegExp> = {
  js: /\.(?:[cm]?[jt]s|[jt]sx)$/,
  ts: /\.(?:[cm]?[jt]s|[jt]sx)$/,
  python: /\.py$/,
  go: /\.go$/,
  rust: /\.rs$/,
  java: /\.java$/,
  c: /\.[ch]$/,
};

const TESTS =
  /(?:^|\/)(?:t|tests?|testing|testdata|__tests__|__mocks__|specs?)\/|(?:^|\/)(?:test_[^/]*|conftest\.py|[^/]*(?:[._-](?:test|spec)|Test)\.[^/.]+)$/;

/** Numbers of the files that an instance may be about: sources of its language, without tests unless asked for. */
export function candidatesOf(
  { code }: RepositoryIndex,
  { language }: Instance,
  withTests: boolean,
): number[] {
  const ending = ENDINGS[language];
  if (!ending) throw new Error(`No file endings are known for the language ${language}.`);
  return Array.from({ length: code!.fileCount }, (_, file) => file).filter((file) => {
    const path = code!.filePath(file);
    return ending.test(path) && (withTests || !TESTS.test(path));
  });
}
