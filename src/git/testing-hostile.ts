/** Paths as in a URL after `/files/`, that can be neither opened nor saved. Escapes are decoded once: `%2e%2e` is `..`. */
export const INVALID_PATHS = [
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/x',
  '/etc/passwd',
  '//etc/passwd',
  'a//b.txt',
  'a/b.txt/',
  '',
  '.',
  '..',
  '.git/config',
  '.GIT/config',
  'a/.git/hooks/post-commit',
  'git~1/config',
  '.g%E2%80%8Cit/config',
  'a%5C..%5Cb',
  'a%00b',
  'a%0d%0aX:1',
  '%c0%ae%c0%ae/x',
  '%ff',
  'x'.repeat(5000),
  'y'.repeat(300),
];

/** Paths of no file; some would be valid names of new files. */
export const HOSTILE_PATHS = [...INVALID_PATHS, '%252e%252e%252fx', 'C:x'];

/** Names that look like trouble and are names like any other. */
export const ODD_NAMES = ['__proto__', 'constructor', '-rf', ':(glob)**'];

/** Searches that are words, whatever a database would make of them. */
export const HOSTILE_QUERIES = [
  ...["'", '"', '\\', '%', '_', 'foo &', '(((', '!', '<->', 'a:*', 'foo:bar:baz'],
  ...['); DROP TABLE users;--', 'x'.repeat(10_000), 'the of and', '😀 שלום ‮abc'],
];
