import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import type { SkipReason } from '#contract/projects.ts';
import type { PathMatcher } from '#git/path-patterns.ts';
import { isIndexablePath } from '#git/paths.ts';
import type { GitTreeEntry } from '#git/tree.ts';
import { detectLanguage, isProgram, isProse } from './chunk/languages.ts';

const VENDORED = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'third_party',
  'thirdparty',
  'pods',
  '.yarn',
]);

const GENERATED_NAMES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'composer.lock',
  'cargo.lock',
  'gemfile.lock',
  'poetry.lock',
  'pipfile.lock',
  'pdm.lock',
  'uv.lock',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'packages.lock.json',
  'go.sum',
]);
const GENERATED_ENDINGS =
  /(?:[.-]min\.(?:js|css|mjs)|\.(?:js|css|mjs)\.map|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.designer\.cs)$/;
/** Comment in the first lines that marks generated code: Go's convention and the `@` mark of many tools. */
const GENERATED_HEADER =
  /^\W.*(?:@generated\b|\bgenerated\b.*\bdo not (?:edit|modify)|\bdo not (?:edit|modify).*\bgenerated\b)/im;

/** Bytes of a file that git inspects to classify it as binary. */
const BINARY_PROBE_BYTES = 8000;
/** Share of units that may be invalid UTF-8 (an old file in Latin-1 has a few). */
const MAX_INVALID_SHARE = 0.1;
/** Average line length in UTF-16 units above which code is generated. Paragraphs may be long. */
const MAX_AVERAGE_LINE_LENGTH = { code: 300, prose: 3000 };
const MIN_GENERATED_LENGTH = 5000;

/** Programs may be as many times larger than other files: the one file of a library may have 20,000 lines written by hand. */
const PROGRAM_FACTOR = 4;

/** Bytes of a file at a path above which it is not indexed. */
export function maxIndexedBytes(path: string, { maxFileBytes }: { maxFileBytes: number }): number {
  return isProgram(path) ? PROGRAM_FACTOR * maxFileBytes : maxFileBytes;
}

/** Returns the reason to skip an entry of a tree, judged without its content; null for none. */
export function entrySkipReason(
  entry: GitTreeEntry,
  limits: { maxFileBytes: number; isExcluded?: PathMatcher },
): SkipReason | null {
  if (entry.type === 'commit') return 'submodule';
  if (entry.mode === '120000') return 'symlink';
  if (entry.path === null) return 'invalid_path';
  if (!isIndexablePath(entry.path)) return 'path_too_long';
  if (limits.isExcluded?.(entry.path)) return 'excluded';
  const path = entry.path.toLowerCase();
  if (
    posix
      .dirname(path)
      .split('/')
      .some((folder) => VENDORED.has(folder))
  )
    return 'vendored';
  if (GENERATED_NAMES.has(posix.basename(path)) || GENERATED_ENDINGS.test(path)) return 'generated';
  return entry.size !== null && entry.size > maxIndexedBytes(path, limits) ? 'too_large' : null;
}

/** Decodes a file as text, or returns the reason to skip it. */
export function decodeText(path: string, content: Buffer): { text: string } | { reason: SkipReason } {
  if (content.subarray(0, BINARY_PROBE_BYTES).includes(0)) return { reason: 'binary' };
  const text = content.toString('utf8');
  if (!isUtf8(content) && text.split('\ufffd').length - 1 > text.length * MAX_INVALID_SHARE)
    return { reason: 'binary' };
  return isGenerated(path, text) ? { reason: 'generated' } : { text };
}

function isGenerated(path: string, text: string): boolean {
  if (GENERATED_HEADER.test(text.slice(0, 1000).split('\n', 10).join('\n'))) return true;
  if (text.length < MIN_GENERATED_LENGTH) return false;
  const limit = isProse(detectLanguage(path, text))
    ? MAX_AVERAGE_LINE_LENGTH.prose
    : MAX_AVERAGE_LINE_LENGTH.code;
  return text.length / text.split('\n').length > limit;
}
