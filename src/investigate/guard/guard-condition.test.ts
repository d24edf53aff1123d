import { expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { findGuardCondition } from './guard-condition.ts';
import { findRaiseStatement } from './raise-statement.ts';

/** Code whose line with `◀` is the failing one, its message, and the condition; null when nothing is raised on purpose. */
const CASES: [name: string, path: string, message: string, condition: string | null, code: string][] = [
  [
    'Python, several lines',
    'a.py',
    "Could not determine name ('--1')",
    'if name is None',
    `def parse(decls):
    if name is None:
        raise TypeError( ◀
            f"Could not determine name {decls}"
        )`,
  ],
  [
    'Python, the line of the last argument, as before 3.8',
    'a.py',
    'ASCII is not supported.',
    "if encoding == 'ascii'",
    `def verify():
    if encoding == 'ascii':
        raise RuntimeError(
            'ASCII is not '
            'supported.' ◀
        )`,
  ],
  [
    'Python, a message in a variable',
    'a.py',
    'item is not known.',
    'if known is None',
    `def fields(cls):
    if known is None:
        msg = f"{cls} is not known."
        raise NotKnownError(msg) ◀`,
  ],
  [
    'Python, a handler',
    'a.py',
    'There is no context.',
    'except AttributeError as e',
    `def current():
    try:
        return local.stack[-1]
    except AttributeError as e:
        raise RuntimeError("There is no context.") from e ◀`,
  ],
  [
    'Python, else',
    'a.py',
    'not one',
    'if a == 1: … else',
    `def f():
    if a == 1:
        return 1
    else:
        raise ValueError('not one') ◀`,
  ],
  ['Python, assert', 'a.py', '', 'assert size > 0', 'def f(size):\n    assert size > 0 ◀'],
  [
    'Python, passed on',
    'a.py',
    'x',
    null,
    'def f():\n    try:\n        g()\n    except E as error:\n        raise error ◀',
  ],
  ['Python, a plain call', 'a.py', 'x', null, 'def f():\n    return g(1) ◀'],
  [
    'JavaScript',
    'a.js',
    'app.use() requires a middleware function',
    'if (fns.length === 0)',
    `app.use = function use(fn) {
  if (fns.length === 0) {
    throw new TypeError('app.use() requires a middleware function') ◀
  }`,
  ],
  [
    'JavaScript, a condition over lines',
    'a.ts',
    'only the last argument can be variadic',
    'if ( previous && previous.variadic )',
    `  addArgument(argument) {
    if (
      previous &&
      previous.variadic
    ) {
      throw new Error( ◀
        'only the last argument can be variadic',
      );
    }`,
  ],
  [
    'JavaScript, one line',
    'a.js',
    'no name',
    'if (!name)',
    "function f(name) {\n  if (!name) throw new Error('no name') ◀\n}",
  ],
  [
    'JavaScript, a switch',
    'a.js',
    'unknown kind',
    'default:'.slice(0, -1),
    "function f(kind) {\n  switch (kind) {\n    case 1:\n      return 1;\n    default:\n      throw new Error('unknown kind'); ◀\n  }\n}",
  ],
  ['JavaScript, passed on', 'a.js', 'x', null, 'try {\n  g();\n} catch (err) {\n  throw err; ◀\n}'],
  [
    'Go, panic',
    'a.go',
    'path must begin with /',
    "if path[0] != '/'",
    'func add(path string) {\n\tif path[0] != \'/\' {\n\t\tpanic("path must begin with /") ◀\n\t}\n}',
  ],
  [
    'Go, a returned error',
    'a.go',
    'unknown command "x" for "y"',
    'if sub == nil',
    'func find(name string) error {\n\tif sub == nil {\n\t\treturn fmt.Errorf("unknown command %q for %q", name, path) ◀\n\t}\n}',
  ],
  [
    'Rust, panic',
    'a.rs',
    'capacity overflow: 3',
    'if size > MAX',
    'fn grow(size: usize) {\n    if size > MAX {\n        panic!("capacity overflow: {}", size); ◀\n    }\n}',
  ],
  [
    'Rust, a match',
    'a.rs',
    'unknown glob',
    'None =>',
    'fn find(x: &str) -> Result<()> {\n    match glob(x) {\n        None => {\n            return Err(Error::new("unknown glob")); ◀\n        }\n    }\n}',
  ],
  [
    'Ruby, a modifier',
    'a.rb',
    'wrong number of routes',
    'unless routes.any?',
    "def call(env)\n  raise ArgumentError, 'wrong number of routes' unless routes.any? ◀\nend",
  ],
  [
    'PHP',
    'a.php',
    'The handler must be callable',
    'if (!is_callable($handler))',
    "function push($handler) {\n    if (!is_callable($handler)) {\n        throw new \\InvalidArgumentException('The handler must be callable'); ◀\n    }\n}",
  ],
  [
    'Java',
    'A.java',
    'JSON forbids NaN and infinities: NaN',
    'if (!lenient && Double.isNaN(value))',
    'void value(double value) {\n    if (!lenient && Double.isNaN(value)) {\n      throw new IllegalArgumentException("JSON forbids NaN and infinities: " + value); ◀\n    }\n}',
  ],
  [
    'Java, a check of the library',
    'A.java',
    'writer == null',
    'this.out = Objects.requireNonNull(out, "writer == null");',
    'A(Writer out) {\n    this.out = Objects.requireNonNull(out, "writer == null"); ◀\n}',
  ],
  [
    'C',
    'a.c',
    'Cannot iterate over null (null)',
    'if (kind != OBJECT)',
    'int run(void) {\n  if (kind != OBJECT) {\n    set_error(jq, jv_string_fmt("Cannot iterate over %s%s", a, b)); ◀\n  }\n}',
  ],
];

test.each(CASES)('%s', (_, path, message, condition, code) => {
  const lines = code.split('\n');
  const line = lines.findIndex((text) => text.endsWith(' ◀')) + 1;
  const plain = lines.map((text) => text.replace(/ ◀$/, ''));
  const statement = findRaiseStatement(plain, line, { path, message });
  if (condition === null) return expect(statement).toBeNull();
  expect(statement).not.toBeNull();
  expect(findGuardCondition(plain, statement!).text).toBe(condition);
  if (message !== '' && !path.startsWith('A.java')) expect(statement!.share).toBeGreaterThan(0.4);
});

test('hostile code takes linear time', async () => {
  const lines = Array.from({ length: 20_000 }, () => '(');
  const raised = {
    start: 20_000,
    end: 20_000,
    text: 'throw x',
    share: 0,
    hasLiteral: false,
    errorClass: null,
  };
  const find = () => {
    expect(findRaiseStatement(lines, 10_000, { path: 'a.js', message: 'x' })).toBeNull();
    findGuardCondition(lines, { ...raised, isAssertion: false });
  };
  expect(await measureCpuMs(find)).toBeLessThan(500);
});

test.each([
  ['a.go', '\treturn ErrClosed'],
  ['a.go', '\treturn &ParseError{Line: line}'],
  ['a.php', '    return new self($message);'],
  ['a.php', "    Assert::notEmpty($name, 'a name is required');"],
  ['A.java', '    return new IllegalStateException(text);'],
  ['a.cpp', '    CHECK(buffer) << "the buffer is empty";'],
  ['a.swift', '    precondition(size > 0, "size must be positive")'],
])('%s raises by %j', (path, line) => {
  expect(findRaiseStatement([line], 1, { path, message: 'x' })).not.toBeNull();
});
